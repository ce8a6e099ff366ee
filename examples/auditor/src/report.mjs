// What was found in a record, as `verify --json` says it: seats, hands and steps count from 1.

import { fingerprint } from "./sign.mjs";
import { unsealedBy } from "./record.mjs";

const side = (team) => (team === null ? null : "AB"[team]);
const from1 = (number) => (number === null || number === undefined ? null : number + 1);

/** One sentence for each word: what a broken record has, and what a violation of the log was. */
export const MESSAGES = {
  malformed: "a value that is not in its one encoding, over a limit, or of no shape that a record has",
  wrong_version: "an entry of another protocol",
  wrong_table: "an entry of another table",
  bad_signature: "a signature that does not hold",
  bad_head: "an entry on a head that does not follow from what stands before it",
  not_due: "an entry that nobody waited for",
  bad_seal: "a seal that says otherwise than the log",
  bad_trailer: "a trailer that does not say where this log ends",
  incomplete: "the file ends before the match does",
  illegal_move: "a move that the rules do not allow",
  bad_opening: "a key that was not committed to, not proved, or taken",
  bad_proof: "a shuffle whose proof does not hold",
  bad_token: "tokens whose proof does not hold",
  not_in_group: "bytes that are no point or scalar",
  equivocation: "two bodies in one place",
};

export function report(found) {
  const { agreement, table, counts, status, fault, at } = found;
  const broken = fault && { kind: fault.word, hand: from1(at.hand), step: from1(at.step), seat: from1(fault.seat) };
  const { named } = table;
  const violation = broken ?? (named && {
    kind: named.word, hand: from1(named.hand), step: from1(named.step), seat: from1(named.seat),
  });
  return {
    ok: !fault,
    status: fault ? null : status,
    unsealed_by: unsealedBy(found).map(from1),
    variant: agreement.variant.name,
    seats: agreement.players,
    peers: agreement.roster.map(({ identity, name, operator }, seat) => ({
      seat: seat + 1, name, fingerprint: fingerprint(identity), operator: operator + 1,
    })),
    hands: table.results.length,
    ...counts,
    winner: fault ? null : side(table.winner),
    score: { A: table.shown[0], B: table.shown[1] },
    violation: violation && { ...violation, message: MESSAGES[violation.kind] },
  };
}
