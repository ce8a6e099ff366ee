// ristretto255 (deal.md §2): points and scalars as they are received, cards, generators.
//
// Whatever is received is looked at as bytes first, so that a lax library would change nothing.

import { ristretto255, ristretto255_hasher } from "@noble/curves/ed25519.js";
import { mulAddUnsafe, pippenger } from "@noble/curves/abstract/curve.js";
import { bytesOf, hex, littleEndian, numberLittle } from "./bytes.mjs";
import { Refusal } from "./refusal.mjs";
import { PROTOCOL, sha512 } from "./transcript.mjs";
import { ORDER, mod } from "./order.mjs";

export { ORDER, mod };
export const Point = ristretto255.Point;
export const G = Point.BASE;
export const ZERO = Point.ZERO;
export const IDENTITY = new Uint8Array(32);

const FEW = 60; // terms of a sum that are quicker one by one
const FIELD = (1n << 255n) - 19n;
const outside = (what) => new Refusal("not_in_group", what);

/** The point of 32 bytes that were received: canonical, and not the identity. */
export function point(bytes) {
  if (bytes.length !== 32) throw outside("not 32 bytes");
  const value = numberLittle(bytes);
  if (value >= FIELD || value % 2n === 1n) throw outside("a point that is not canonical");
  if (value === 0n) throw outside("the identity");
  try {
    return Point.fromBytes(bytes);
  } catch {
    throw outside("not a point");
  }
}

export function scalar(bytes) {
  if (bytes.length !== 32) throw outside("not 32 bytes");
  const value = numberLittle(bytes);
  if (value >= ORDER) throw outside("a scalar that is not below the order");
  return value;
}

export const scalarBytes = (value) => littleEndian(value, 32);
export const pointBytes = (value) => value.toBytes();

/** `value` times `base`; not for secrets. */
export const times = (base, value) => {
  const rest = mod(value);
  return rest === 0n ? ZERO : base === G ? G.multiply(rest) : base.multiplyUnsafe(rest);
};

/** The sum of scalar × point over `terms`; not for secrets. */
export function sumOf(terms) {
  const used = terms.map(([value, base]) => [mod(value), base]).filter(([value]) => value !== 0n);
  const sum = used.length < FEW ? mulAddUnsafe : pippenger;
  return used.length ? sum(Point, used.map(([, base]) => base), used.map(([value]) => value)) : ZERO;
}

const known = new Map();

/** The point of a label that nobody knows the logarithm of. */
export function labelled(label) {
  if (!known.has(label)) known.set(label, ristretto255_hasher.deriveToCurve(sha512(bytesOf(label))));
  return known.get(label);
}

export const cardPoint = (card) => labelled(`${PROTOCOL}/card/${card}`);
export const generator = (i) => labelled(`${PROTOCOL}/H/${i}`);

const faces = new WeakMap();

/** The cards of a deck by the 32 bytes of their points. */
export function facesOf(cards) {
  if (!faces.has(cards)) faces.set(cards, new Map(cards.map((card) => [hex(pointBytes(cardPoint(card))), card])));
  return faces.get(cards);
}
