// Identities and signatures (table.md §2): Ed25519, strictly.

import { ed25519 } from "@noble/curves/ed25519.js";
import { mulAddUnsafe } from "@noble/curves/abstract/curve.js";
import { bytesOf, concat, hex, numberLittle, same } from "./bytes.mjs";
import { Refusal } from "./refusal.mjs";
import { PROTOCOL, sha512 } from "./transcript.mjs";
import { ORDER } from "./order.mjs";

const { Point } = ed25519;
const IDENTITY = Point.ZERO.toBytes();

export const publishedSeed = (name) => sha512(bytesOf(`${PROTOCOL}/published/${name}`)).slice(0, 32);

const PUBLISHED = new Set(
  ["authority", ...Array.from({ length: 8 }, (_, i) => `vector-${i}`)]
    .map((name) => hex(ed25519.getPublicKey(publishedSeed(name)))),
);

const points = new Map();

/** The point of an acceptable key: canonical, of prime order, not published; else null. */
export function identityPoint(key) {
  const name = hex(key);
  if (!points.has(name)) points.set(name, decoded(key, name));
  return points.get(name);
}

function decoded(key, name) {
  if (key.length !== 32 || PUBLISHED.has(name)) return null;
  let point;
  try {
    point = Point.fromBytes(key, false);
  } catch {
    return null;
  }
  if (!same(point.toBytes(), key) || point.is0() || !point.isTorsionFree()) return null;
  return point;
}

export const isAcceptable = (key) => identityPoint(key) !== null;

/** RFC 8032 §5.1.7 without cofactor, R compared byte by byte, over label ‖ message. */
export function verify(key, label, message, signature) {
  const bad = (why) => new Refusal("bad_signature", why);
  const point = identityPoint(key);
  if (point === null) throw bad("a key that is not acceptable");
  if (signature.length !== 64) throw bad("a signature of another length");
  const r = signature.subarray(0, 32);
  const s = numberLittle(signature.subarray(32));
  if (s >= ORDER) throw bad("S is not below the order");
  if (same(r, IDENTITY)) throw bad("R is the identity");
  const k = numberLittle(sha512(concat(r, key, bytesOf(label), message))) % ORDER;
  const expected = mulAddUnsafe(Point, [Point.BASE, point], [s, (ORDER - k) % ORDER]);
  if (!same(expected.toBytes(), r)) throw bad("the signature does not hold");
}

export const sign = (seed, label, message) => ed25519.sign(concat(bytesOf(label), message), seed);

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

export function base32(bytes) {
  let text = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfffff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += BASE32[(value >> (bits - 5)) & 31];
  }
  return bits ? text + BASE32[(value << (5 - bits)) & 31] : text;
}

/** A key as people read it: base32 in fours with hyphens. */
export const fingerprint = (key) =>
  base32(sha512(concat(bytesOf(`${PROTOCOL}/fingerprint`), key)).slice(0, 10)).match(/.{4}/g).join("-");
