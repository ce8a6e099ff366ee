// The certificate that an end of a channel shows (wire.md §2): an Ed25519 leaf, made afresh for
// each run and signed by the published authority. DER by hand, for Node makes no certificates.

import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import { concat, bytesOf, unhex } from "./bytes.mjs";
import { publishedSeed } from "./sign.mjs";

export const AUTHORITY = `-----BEGIN CERTIFICATE-----
MIIBZDCCARagAwIBAgIBATAFBgMrZXAwJTEjMCEGA1UEAwwaYXV0aG9yaXR5LnAy
cHRydWNvLmludmFsaWQwIBcNNzAwMTAxMDAwMDAwWhgPOTk5OTEyMzEyMzU5NTla
MCUxIzAhBgNVBAMMGmF1dGhvcml0eS5wMnB0cnVjby5pbnZhbGlkMCowBQYDK2Vw
AyEAtlqKw61djqtljMnIUXxnTyhv4s2pgz9rniPbCtCEdwajaTBnMBIGA1UdEwEB
/wQIMAYBAf8CAQAwDgYDVR0PAQH/BAQDAgIEMCIGA1UdHgEB/wQYMBagFDASghBw
MnB0cnVjby5pbnZhbGlkMB0GA1UdDgQWBBRuA79l31MU/GlXFIW1fYVpIpavVDAF
BgMrZXADQQD4dFOVyVbHCUB9ZQDDho/ZQ3EB27XyaMn55l4Cy7ZgEaxhTnoZ6VNm
kUTZYhfmiN/3ZvVlsZF2m/vkmFVaqOsJ
-----END CERTIFICATE-----
`;

const PRIVATE_KEY = unhex("302e020100300506032b657004220420"); // PKCS #8 of an Ed25519 seed, before it
const authorityKey = createPrivateKey({
  key: Buffer.from(concat(PRIVATE_KEY, publishedSeed("authority"))), format: "der", type: "pkcs8",
});
export const authorityPublic = spki(createPublicKey(authorityKey));

function spki(key) {
  return new Uint8Array(key.export({ format: "der", type: "spki" }));
}

/** The 32 bytes that name an end of a channel. */
export const channelKey = (publicKeyInfo) =>
  new Uint8Array(createHash("sha512").update(publicKeyInfo).digest().subarray(0, 32));

// DER

function tagged(tag, ...inside) {
  const content = concat(...inside);
  const length = content.length < 128 ? [content.length]
    : content.length < 256 ? [0x81, content.length] : [0x82, content.length >> 8, content.length & 255];
  return concat(Uint8Array.of(tag, ...length), content);
}
const sequence = (...inside) => tagged(0x30, ...inside);
const setOf = (...inside) => tagged(0x31, ...inside);
const octets = (...inside) => tagged(0x04, ...inside);
const oid = (...bytes) => tagged(0x06, Uint8Array.of(...bytes));
const TRUE = Uint8Array.of(0x01, 0x01, 0xff);
const ED25519 = sequence(oid(0x2b, 0x65, 0x70));
const VALID = sequence(tagged(0x17, bytesOf("700101000000Z")), tagged(0x18, bytesOf("99991231235959Z")));

const named = (name) => sequence(setOf(sequence(oid(0x55, 0x04, 0x03), tagged(0x0c, bytesOf(name)))));
const extension = (last, value, critical = false) =>
  sequence(oid(0x55, 0x1d, last), ...(critical ? [TRUE] : []), octets(value));
const keyIdentifier = (info) => new Uint8Array(createHash("sha1").update(info.subarray(-32)).digest());

/** { key, cert } in PEM, and the channel key of this run. */
export function newLeaf() {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const info = spki(publicKey);
  const usage = [0x01, 0x02].map((last) => oid(0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, last));
  const serial = concat(Uint8Array.of(0x01), channelKey(info).subarray(0, 15));
  const extensions = sequence(
    extension(0x13, sequence(), true),
    extension(0x0f, unhex("03020780"), true),
    extension(0x25, sequence(...usage)),
    extension(0x11, sequence(tagged(0x82, bytesOf("peer.p2ptruco.invalid")))),
    extension(0x0e, octets(keyIdentifier(info))),
    extension(0x23, sequence(tagged(0x80, unhex("6e03bf65df5314fc69571485b57d85692296af54")))),
  );
  const body = sequence(
    tagged(0xa0, unhex("020102")), tagged(0x02, serial), ED25519, named("authority.p2ptruco.invalid"), VALID,
    named("peer.p2ptruco.invalid"), info, tagged(0xa3, extensions),
  );
  const signature = new Uint8Array(sign(null, body, authorityKey));
  const certificate = sequence(body, ED25519, tagged(0x03, Uint8Array.of(0), signature));
  const lines = Buffer.from(certificate).toString("base64").match(/.{1,64}/g).join("\n");
  return {
    key: privateKey.export({ format: "pem", type: "pkcs8" }),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    channel: channelKey(info),
  };
}
