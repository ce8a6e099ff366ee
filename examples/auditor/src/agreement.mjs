// The agreement that everybody at a table signs, and the hashes of the log (table.md §1, §2).

import { bigEndian, hex } from "./bytes.mjs";
import { decode } from "./pack.mjs";
import { malformed } from "./refusal.mjs";
import { PROTOCOL, SUITE, digest } from "./transcript.mjs";
import { b32, bool, list, row, text, u16, u8, whole, word } from "./shape.mjs";
import { TOGGLES, variantOf } from "./variant.mjs";
import { isAcceptable } from "./sign.mjs";
import { isClean } from "./text.mjs";

export const LONGEST = 8192;

const SHAPE = row(
  word(PROTOCOL), word("agreement"), word(`${SUITE}-ed25519`), whole(0, 0), text,
  list(row(text, text), 0, 64), row(u16, u16, u16), bool,
  list(row(b32, text, whole(0, 7), b32), 0, 64),
);

/** H(label; …) of table.md: numbers are four bytes. */
export const H = (label, items) =>
  digest(label, items.map(([name, value]) => [name, typeof value === "number" ? bigEndian(value, 4) : value]));

export function agreementOf(bytes) {
  const value = decode(bytes, LONGEST);
  if (!SHAPE(value)) throw malformed("not an agreement");
  const [, , , epoch, name, toggles, times, spectators, roster] = value;
  const names = Object.keys(TOGGLES);
  if (toggles.length !== names.length || toggles.some(([toggle], i) => toggle !== names[i])) {
    throw malformed("not all toggles in their order");
  }
  const variant = variantOf(name, Object.fromEntries(toggles));
  if (variant === null) throw malformed("an impossible variant");
  if (toggles.some(([toggle, written]) => variant.toggles[toggle] !== written)) {
    throw malformed("a toggle that is written otherwise");
  }
  if (!variant.players.includes(roster.length)) throw malformed("a size that the variant does not allow");
  if (new Set(roster.map(([identity]) => hex(identity))).size !== roster.length) {
    throw malformed("one identity twice");
  }
  if (!roster.every(([identity]) => isAcceptable(identity))) throw malformed("a key that is not acceptable");
  if (!roster.every(([, player]) => isClean(player))) throw malformed("a name that is not clean");
  if (!roster.every(([, , operator]) => operator < roster.length)) throw malformed("an operator who is not there");
  return {
    bytes, variant, epoch, times, spectators,
    table: H("agreement", [["terms", bytes]]),
    players: roster.length,
    roster: roster.map(([identity, player, operator, nonce]) => ({ identity, name: player, operator, nonce })),
    identities: roster.map(([identity]) => identity),
  };
}

// Heads

export const handHead = (table, epoch, hand, attempt, behind) =>
  H("hand", [["table", table], ["epoch", epoch], ["hand", hand], ["attempt", attempt], ["behind", behind]]);
export const stepHead = (head, step, bodies) =>
  H("step", [["head", head], ["step", step], ...bodies.map((body) => ["body", body])]);
export const joinHead = (ready, last) => H("join", [["ready", ready], ["last", last]]);
export const cutHead = (head, step, seat) => H("cut", [["head", head], ["step", step], ["seat", seat]]);
export const endHead = (head, last) => H("end", [["head", head], ["last", last]]);
export const agreementLabel = `${PROTOCOL}/agreement`;
