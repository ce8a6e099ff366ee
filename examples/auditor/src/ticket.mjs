// Tickets (wire.md §3), as a guest reads them.

import { bytesOf, concat, same } from "./bytes.mjs";
import { malformed } from "./refusal.mjs";
import { PROTOCOL, sha512 } from "./transcript.mjs";
import { base32 } from "./sign.mjs";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function unbase32(text) {
  const bytes = [];
  let bits = 0;
  let value = 0;
  for (const letter of text) {
    const five = ALPHABET.indexOf(letter);
    if (five < 0) throw malformed("a ticket has other letters");
    value = ((value << 5) | five) & 0xffff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >> bits) & 255);
    }
  }
  return Uint8Array.from(bytes);
}

/** { purpose, addresses: [{ host, port }], fingerprint, secret }. */
export function ticketOf(text) {
  if (text.length > 512) throw malformed("a ticket over its limit");
  const bare = text.toUpperCase().replace(/[\s-]/g, "").replace(/^TRUCO:/, "")
    .replaceAll("0", "O").replaceAll("1", "I").replaceAll("8", "B");
  const bytes = unbase32(bare);
  if (base32(bytes) !== bare) throw malformed("a second spelling of a ticket");
  const body = bytes.subarray(0, -3);
  const check = sha512(concat(bytesOf(`${PROTOCOL}/ticket-check`), body)).subarray(0, 3);
  if (bytes.length < 4 || !same(bytes.subarray(-3), check)) throw malformed("a ticket with a slip in it");
  let at = 0;
  const take = (length) => {
    if (at + length > body.length) throw malformed("a ticket that is cut");
    at += length;
    return body.subarray(at - length, at);
  };
  const number = () => take(1)[0];
  if (number() !== 1) throw malformed("a ticket of another version");
  const purpose = number();
  const count = number();
  if (purpose > 1 || count > 3) throw malformed("not a ticket");
  const addresses = Array.from({ length: count }, () => {
    const family = number();
    if (family !== 4 && family !== 6) throw malformed("an address of no family");
    const raw = take(family === 4 ? 4 : 16);
    const [high, low] = take(2);
    const host = family === 4 ? [...raw].join(".")
      : Array.from({ length: 8 }, (_, i) => (raw[2 * i] * 256 + raw[2 * i + 1]).toString(16)).join(":");
    if (high === 0 && low === 0) throw malformed("a port that is none");
    return { host, port: high * 256 + low };
  });
  const fingerprint = take(number()).slice();
  if (fingerprint.length !== 0 && fingerprint.length !== 16) throw malformed("a fingerprint of another length");
  const secret = take(number()).slice();
  if (secret.length < 10 || secret.length > 64) throw malformed("a secret of another length");
  if (at !== body.length) throw malformed("a ticket with bytes too many");
  return { purpose: ["seat", "watch"][purpose], addresses, fingerprint, secret };
}
