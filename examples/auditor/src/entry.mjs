// Entries (table.md §1, §6): a body in its shape, for this table, by a seat of it, signed.

import { same } from "./bytes.mjs";
import { decode } from "./pack.mjs";
import { Refusal, malformed } from "./refusal.mjs";
import { PROTOCOL } from "./transcript.mjs";
import { b32, bin, bool, list, nil, or, row, u16, u8, whole, word } from "./shape.mjs";
import { verify } from "./sign.mjs";

export const LONGEST = 8192;
export const LABEL = `${PROTOCOL}/entry`;

const SCORE = row(u16, u16);

/** What a content of each kind holds behind its name. */
export const CONTENTS = {
  commit: row(b32),
  open: row(bin(256)),
  shuffle: row(bin(2560), bin(5120)),
  ready: row(),
  tokens: row(list(bin(256), 0, 8)),
  play: row(whole(0, 24), bool, bin(256)),
  say: row(word("call", "accept", "run", "fold", "play", "refuse")),
  reveal: row(bin(256)),
  leave: row(),
  seal: row(or(whole(0, 1), nil), SCORE, SCORE),
};

const content = (value) =>
  Array.isArray(value) && typeof value[0] === "string" && Object.hasOwn(CONTENTS, value[0])
  && CONTENTS[value[0]](value.slice(1));
const SHAPE = row(word(PROTOCOL), word("entry"), b32, u8, u16, u8, u16, whole(0, 7), b32, content);

/** All that can be said of a body without its signature. */
export function bodyOf(agreement, bytes) {
  const value = decode(bytes, LONGEST);
  if (!Array.isArray(value) || typeof value[0] !== "string") throw malformed("not an entry");
  if (value[0] !== PROTOCOL) throw new Refusal("wrong_version", "an entry of another protocol");
  if (!SHAPE(value)) throw malformed("not the shape of an entry");
  const [, , table, epoch, hand, attempt, step, seat, head, [kind, ...fields]] = value;
  if (!same(table, agreement.table) || epoch !== agreement.epoch) {
    throw new Refusal("wrong_table", "an entry of another table");
  }
  if (seat >= agreement.players) throw malformed("a seat that is not at the table");
  return { body: bytes, hand, attempt, step, seat, head, kind, fields };
}

export function entryOf(agreement, bytes, signature) {
  const entry = bodyOf(agreement, bytes);
  verify(agreement.identities[entry.seat], LABEL, bytes, signature);
  return { ...entry, signature };
}
