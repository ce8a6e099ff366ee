// Tickets (wire.md §3), as a guest reads them.

import { createHash } from "node:crypto";
import { bytesOf, concat, same } from "./bytes.mjs";
import { Refusal, malformed } from "./refusal.mjs";
import { PROTOCOL, sha512 } from "./transcript.mjs";
import { base32 } from "./sign.mjs";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function unbase32(text) {
  const bytes = [];
  let bits = 0;
  let value = 0;
  if ([1, 3, 6].includes(text.length % 8)) throw new Refusal("no_ticket", "a number of letters that base32 has not");
  for (const letter of text) {
    const five = ALPHABET.indexOf(letter);
    if (five < 0) throw new Refusal("no_ticket", "a ticket has other letters");
    value = ((value << 5) | five) & 0xffff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >> bits) & 255);
    }
  }
  return Uint8Array.from(bytes);
}

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** The text of an IPv6 address in RFC 5952's form. */
function ipv6(raw) {
  const groups = Array.from({ length: 8 }, (_, i) => raw[2 * i] * 256 + raw[2 * i + 1]);
  let [from, length] = [0, 1];
  for (let i = 0; i < 8; i += 1) {
    let j = i;
    while (j < 8 && groups[j] === 0) j += 1;
    if (j - i > length) [from, length] = [i, j - i];
  }
  const hex = (part) => part.map((group) => group.toString(16)).join(":");
  return length < 2 ? hex(groups) : `${hex(groups.slice(0, from))}::${hex(groups.slice(from + length))}`;
}

function onion(key) {
  const end = createHash("sha3-256").update(concat(bytesOf(".onion checksum"), key, Uint8Array.of(3))).digest().subarray(0, 2);
  return `${base32(concat(key, end, Uint8Array.of(3))).toLowerCase()}.onion`;
}

const ZEROS = (raw, from, to) => raw.subarray(from, to).every((byte) => byte === 0);

/** Kind: its host, by the bytes that `take` gives. */
const HOSTS = {
  1: (take) => {
    const raw = take(4);
    if (ZEROS(raw, 0, 4) || raw[0] >> 4 === 14) throw malformed("an address that nobody has");
    return [...raw].join(".");
  },
  2: (take) => ipv6(concat(Uint8Array.of(0xfe, 0x80, 0, 0, 0, 0, 0, 0), take(8))),
  3: (take) => {
    const raw = take(16);
    const local = raw[0] === 0xfe && (raw[1] & 0xc0) === 0x80;
    const mapped = ZEROS(raw, 0, 10) && raw[10] === 255 && raw[11] === 255;
    if (ZEROS(raw, 0, 16) || raw[0] === 255 || local || mapped) throw malformed("an address that nobody has");
    return ipv6(raw);
  },
  4: (take) => {
    const name = String.fromCharCode(...take(take(1)[0]));
    const labels = name.split(".");
    if (name.length > 253 || !labels.every((label) => LABEL.test(label)) || !/[a-z]/.test(labels.at(-1))) throw malformed("not a name");
    if (labels.at(-1) === "onion") throw malformed("an onion address as a name");
    return name;
  },
  5: (take) => onion(take(32)),
};

/** { purpose, addresses: [{ host, port }], relays: [{ host, port }], fingerprint, secret }. */
export function ticketOf(text) {
  if (text.length > 512 || /[^\0-\x7f]/.test(text)) throw new Refusal("no_ticket", "not a ticket");
  const bare = text.trim().toUpperCase().replace(/^TRUCO:/, "").replace(/[ \t\r\n-]/g, "")
    .replaceAll("0", "O").replaceAll("1", "I").replaceAll("8", "B");
  const bytes = unbase32(bare);
  if (base32(bytes) !== bare) throw new Refusal("mistyped", "a second spelling of a ticket");
  const body = bytes.subarray(0, -3);
  const check = sha512(concat(bytesOf(`${PROTOCOL}/ticket-check`), body)).subarray(0, 3);
  if (bytes.length < 7 || !same(bytes.subarray(-3), check)) throw new Refusal("mistyped", "a ticket with a slip in it");
  let at = 0;
  const take = (length) => {
    if (at + length > body.length) throw malformed("a ticket that is cut");
    at += length;
    return body.subarray(at - length, at);
  };
  const number = () => take(1)[0];
  if (number() !== 2) throw new Refusal("wrong_version", "a ticket of another version");
  const purpose = number();
  const count = number();
  if (purpose > 1 || count > 8) throw malformed("not a ticket");
  const found = Array.from({ length: count }, () => {
    const kind = number();
    const read = HOSTS[kind === 6 ? number() : kind];
    if (!read) throw malformed("an address of no kind");
    const host = read(take);
    const [high, low] = take(2);
    if (high === 0 && low === 0) throw malformed("a port that is none");
    return { kind, host, port: high * 256 + low };
  });
  const kinds = found.map((one) => one.kind);
  const texts = new Set(found.map((one) => `${one.kind === 6} ${one.host} ${one.port}`));
  if (kinds.some((kind, i) => i > 0 && kind < kinds[i - 1]) || texts.size !== count) throw malformed("addresses twice, or in another order");
  const fingerprint = take(number()).slice();
  if (fingerprint.length !== 0 && fingerprint.length !== 16) throw malformed("a fingerprint of another length");
  const secret = take(number()).slice();
  if (secret.length < 10 || secret.length > 64) throw malformed("a secret of another length");
  if (at !== body.length) throw malformed("a ticket with bytes too many");
  const of = (relays) => found.filter(({ kind }) => (kind === 6) === relays).map(({ host, port }) => ({ host, port }));
  return { purpose: ["seat", "watch"][purpose], addresses: of(false), relays: of(true), fingerprint, secret, written: `TRUCO:${bare}` };
}
