// Records (record.md): reading a file, and verifying it value by value.

import { same } from "./bytes.mjs";
import { decode, encode, readValue } from "./pack.mjs";
import { Refusal, malformed } from "./refusal.mjs";
import { agreementLabel, agreementOf, cutHead, endHead, handHead, joinHead, stepHead } from "./agreement.mjs";
import { entryOf } from "./entry.mjs";
import { PROTOCOL } from "./transcript.mjs";
import { b32, b64, bin, list, row, u16, u8, whole, word } from "./shape.mjs";
import { verify } from "./sign.mjs";
import { Table } from "./table.mjs";

const LIMITS = { most: 16896, text: 256, bin: 8192 };
const LONGEST = 64 << 20; // bytes of a file
const TRAILER_LABEL = `${PROTOCOL}/trailer`;

const SIGNED = row(word(PROTOCOL), word("signed"), bin(8192), list(bin(8192), 0, 64));
const SPOKEN = row(bin(8192), b64);
const ENTRY = row(word("entry"), bin(8192), b64);
const PROOF = row(word("equivocation"), SPOKEN, SPOKEN);
const TRAILER = row(word("trailer"), bin(512), b64);
const TRAILER_BODY = row(
  word(PROTOCOL), word("trailer"), b32, u8, whole(0, 7), u16, u8, u16, b32, list(whole(0, 7), 0, 64),
);

/** The file has no agreement that could be decoded. */
export class NoRecord extends Error {}

/** Values one after the other, each in its one encoding. */
function valueAt(bytes, at) {
  const read = readValue(bytes, at, LIMITS);
  if (!same(encode(read.value), bytes.subarray(at, read.end))) throw malformed("not the one encoding of its value");
  return read;
}

/** What `verify` finds; throws NoRecord. `tell` hears how far it has come, 0 to 1. */
export function audit(bytes, tell = () => {}) {
  const run = begin(bytes);
  for (;;) {
    const { value, done } = run.next();
    if (done) return value;
    tell(value);
  }
}

/** The same as a generator that yields how far it has come, so that its caller may pause. */
export function* begin(bytes) {
  let first;
  let agreement;
  try {
    first = valueAt(bytes, 0);
    if (!SIGNED(first.value)) throw malformed("not a record");
    agreement = agreementOf(first.value[2]);
  } catch (fault) {
    if (fault instanceof Refusal) throw new NoRecord(fault.message);
    throw fault;
  }
  const counts = { entries: 0, shuffles: 0, tokens: 0 };
  const table = new Table(agreement);
  const found = { agreement, table, counts, status: null, fault: null, at: { hand: null, step: null }, writtenBy: null, index: null };
  const values = [];
  try {
    signatures(agreement, first.value[3]);
    const chain = new Chain(agreement);
    found.at = chain;
    for (let at = first.end; at < bytes.length;) {
      found.index = values.length;
      const read = valueAt(bytes, at);
      if (read.end > LONGEST) throw malformed("a file over its limit");
      values.push(chain.take(read.value));
      at = read.end;
      yield 0.5 * (at / bytes.length);
    }
    found.at = table;
    for (const [i, value] of values.entries()) {
      found.index = i;
      play(found, value);
      yield 0.5 + 0.5 * ((i + 1) / values.length);
    }
    found.index = null;
    found.status = ended(table, found.writtenBy);
  } catch (fault) {
    if (fault instanceof RangeError || fault instanceof TypeError) {
      found.fault = new Refusal("malformed", "the verifier failed over what the file holds");
      found.why = fault;
    } else if (fault instanceof Refusal) found.fault = fault;
    else throw fault;
  }
  const { hand, step } = found.at;
  return { ...found, at: { hand, step }, values };
}

function signatures(agreement, given) {
  if (given.length !== agreement.players || !given.every(b64)) {
    throw malformed("not one signature of 64 bytes for each seat");
  }
  given.forEach((signature, seat) => {
    try {
      verify(agreement.identities[seat], agreementLabel, agreement.table, signature);
    } catch (fault) {
      throw fault instanceof Refusal ? new Refusal(fault.word, fault.message, seat) : fault;
    }
  });
}

/** The file without the game (§2.3): where an entry may stand, by heads alone. */
class Chain {
  constructor(agreement) {
    this.agreement = agreement;
    this.last = agreement.table;
    this.behind = agreement.table; // the head after the last tokens step
    this.#open(0, 0, handHead(agreement.table, agreement.epoch, 0, 0, agreement.table));
  }

  #open(hand, step, head) {
    Object.assign(this, { hand, step, head, bodies: [], seat: -1 });
  }

  /** A value decoded and held against what stands before it: { entry }, { proof } or { trailer }. */
  take(value) {
    if (ENTRY(value)) {
      const entry = entryOf(this.agreement, value[1], value[2]);
      this.#place(entry);
      this.bodies.push(entry.body);
      this.seat = entry.seat;
      return { entry };
    }
    if (PROOF(value)) {
      const first = entryOf(this.agreement, ...value[1]);
      this.#place(first);
      this.#open(first.hand, first.step + 1, endHead(cutHead(this.head, first.step, first.seat), this.last));
      return { proof: [first, entryOf(this.agreement, ...value[2])] };
    }
    if (TRAILER(value)) return { trailer: this.#trailer(value[1], value[2]) };
    throw malformed("not a value of a record");
  }

  #place(entry) {
    const { agreement: { table, epoch, players }, hand, step, head } = this;
    const at = (otherHand, otherStep) =>
      entry.hand === otherHand && entry.attempt === 0 && entry.step === otherStep;
    const notDue = new Refusal("not_due", "another place than its head's", entry.seat);
    if (same(entry.head, head)) {
      if (!at(hand, step) || entry.seat <= this.seat) throw notDue;
      return;
    }
    if (this.bodies.length) {
      const after = stepHead(head, step, this.bodies);
      const behind = step === players + 3 ? after : this.behind;
      const next = step + 1 === players + 3 ? joinHead(after, this.last) : after;
      if (same(entry.head, next) || same(entry.head, endHead(after, this.last))) {
        if (!at(hand, step + 1)) throw notDue;
        this.behind = behind;
        this.#open(hand, step + 1, entry.head);
        return;
      }
      if (same(entry.head, handHead(table, epoch, hand + 1, 0, behind))) {
        if (!at(hand + 1, 0)) throw notDue;
        this.last = after;
        this.behind = behind;
        this.#open(hand + 1, 0, entry.head);
        return;
      }
    }
    throw new Refusal("bad_head", "a head that does not follow from what stands before it", entry.seat);
  }

  #trailer(bytes, signature) {
    const { agreement } = this;
    const value = decode(bytes, 512);
    if (!TRAILER_BODY(value)) throw malformed("not the shape of a trailer");
    const [, , table, epoch, seat, hand, attempt, step, head, owing] = value;
    if (!same(table, agreement.table) || epoch !== agreement.epoch) {
      throw new Refusal("bad_trailer", "of another table");
    }
    if (seat >= agreement.players) throw malformed("a trailer of a seat that is not at the table");
    try {
      verify(agreement.identities[seat], TRAILER_LABEL, bytes, signature);
    } catch (fault) {
      throw fault instanceof Refusal ? new Refusal(fault.word, fault.message, seat) : fault;
    }
    return { seat, hand, attempt, step, head, owing };
  }
}

/** The same file through the table (§2.4), value by value. */
function play(found, { entry, proof, trailer }) {
  const { table, counts } = found;
  if (found.writtenBy !== null) throw new Refusal("not_due", "something behind the trailer");
  if (entry) {
    blameAuthor(entry, () => table.add(entry));
    count(counts, entry);
  } else if (proof) blameAuthor(proof[0], () => table.prove(...proof));
  else {
    const { hand, step, head, owing } = trailer;
    const here = !table.over && hand === table.hand && trailer.attempt === 0 && step === table.step
      && same(head, table.head) && owing.join() === table.owing.join();
    if (!here) throw new Refusal("bad_trailer", "not where this log ends", trailer.seat);
    found.writtenBy = trailer.seat;
  }
}

function blameAuthor({ seat }, act) {
  try {
    act();
  } catch (fault) {
    throw fault instanceof Refusal ? new Refusal(fault.word, fault.message, seat) : fault;
  }
}

function count(counts, { kind, fields }) {
  counts.entries += 1;
  if (kind === "shuffle") counts.shuffles += 1;
  if (kind === "tokens") for (const batch of fields[0]) counts.tokens += Math.max(0, Math.floor(batch.length / 32) - 2);
  if (kind === "reveal" || (kind === "play" && !fields[1])) counts.tokens += 1;
}

function ended(table, writtenBy) {
  if (writtenBy !== null) return "interrupted";
  if (!table.due) return "complete";
  if (table.over && (table.entries.length || table.cut !== null)) return "unsealed";
  throw new Refusal("incomplete", "the file ends with neither seal, proof nor trailer");
}

/**
 * A table with all that held before the fault, where the fault was found before the game was
 * looked at. It may stop earlier: what the game itself refuses is told no further either.
 */
export function before(found) {
  if (!found.fault || found.at.hand === null || found.table.stories[0].entries) return found.table;
  const told = { table: new Table(found.agreement), counts: { entries: 0, shuffles: 0, tokens: 0 }, writtenBy: null };
  try {
    for (const value of found.values) play(told, value);
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault;
  }
  return told.table;
}

/** The seats that have not sealed an end that was reached. */
export const unsealedBy = ({ table, status }) => (status === "unsealed" ? table.owing : []);

