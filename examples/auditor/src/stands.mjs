// Which end of a match stands (table.md §6, "Logs", "Which end stands") for who holds these
// entries, and the hash of proofs and seals that heartbeats carry (§4).
//
// All logs are built again from what was heard: clear rather than fast.

import { bigEndian, compare, concat, hex, same } from "./bytes.mjs";
import { H } from "./agreement.mjs";
import { Refusal } from "./refusal.mjs";
import { Table } from "./table.mjs";

const placeBytes = ({ hand, attempt = 0, step, seat, head }) =>
  concat(bigEndian(hand, 4), bigEndian(attempt, 4), bigEndian(step, 4), bigEndian(seat, 4), head);

export function knownOf(agreement, proofs, seals) {
  const sorted = (places) => places.map(placeBytes).sort(compare);
  return H("known", [
    ["table", agreement.table],
    ...sorted(proofs).map((place) => ["proof", place]), ...sorted(seals).map((place) => ["seal", place]),
  ]);
}

function replay(agreement, entries) {
  const table = new Table(agreement);
  for (const entry of entries) table.add(entry);
  return table;
}

function isDue(agreement, path, entry) {
  try {
    replay(agreement, path).add(entry);
    return true;
  } catch (fault) {
    if (fault instanceof Refusal) return false;
    throw fault;
  }
}

/** Every log of these entries: the ends that were reached, the proofs, the seals heard. */
function logs(agreement, heard) {
  const ends = [];
  const proofs = [];

  function walk(path, through) {
    const table = replay(agreement, path);
    const here = table.position;
    const there = heard.filter((entry) =>
      same(entry.head, here.head) && entry.hand === here.hand && entry.step === here.step && entry.attempt === 0);
    if (table.over) {
      ends.push(endOf(table, through, there.filter((entry) => isDue(agreement, path, entry))));
      return;
    }
    const choices = table.due.seats.map((seat) => {
      const bodies = there.filter((entry) => entry.seat === seat);
      const first = bodies.findIndex((entry) => isDue(agreement, path, entry));
      if (first >= 0 && bodies.length > first + 1) prove(path, through, bodies[first], bodies[first + 1]);
      return bodies.filter((entry) => isDue(agreement, path, entry));
    });
    const step = { ...here, key: hex(here.head) };
    let ways = [[]];
    for (const bodies of choices) ways = ways.flatMap((way) => bodies.map((entry) => [...way, entry]));
    for (const way of ways) walk([...path, ...way], [...through, step]);
  }

  function prove(path, through, one, other) {
    const table = replay(agreement, path);
    const { hand, step, head } = table.position;
    table.prove(...[one, other].sort((a, b) => compare(a.body, b.body)));
    const cut = { hand, attempt: 0, step, seat: one.seat, head };
    proofs.push(cut);
    const { position } = table;
    const seals = heard.filter((entry) => same(entry.head, position.head) && entry.kind === "seal"
      && entry.hand === position.hand && entry.step === position.step);
    ends.push({ ...endOf(table, through, seals.filter((entry) => sealed(table, entry))), cut });
  }

  walk([], []);
  return { ends, proofs };
}

function sealed(table, { seat, fields: [winner, score, won] }) {
  return table.due.seats.includes(seat) && winner === table.winner
    && score.join() === table.shown.join() && won.join() === table.won.join();
}

function endOf(table, through, entries) {
  const seals = entries.filter((entry, i) => entries.findIndex(({ seat }) => seat === entry.seat) === i);
  return { ...table.position, table, through, seals, cut: null };
}

const before = (a, b) => a.hand - b.hand || a.step - b.step || a.seat - b.seat;

export function standsOf(agreement, heard) {
  const { ends, proofs } = logs(agreement, heard);
  const named = new Set(proofs.map(({ seat }) => seat));
  const endsOf = (seat) => ends.filter(({ seals }) => seals.some((seal) => seal.seat === seat));
  const seats = Array.from({ length: agreement.players }, (_, seat) => seat);
  const counting = seats.filter((seat) => !named.has(seat) && endsOf(seat).length === 1);
  let sealedEnds = [...new Set(counting.flatMap(endsOf))];
  if (!sealedEnds.length && agreement.players === 2) {
    sealedEnds = [...new Set(seats.filter((seat) => !named.has(seat)).flatMap(endsOf))];
  }
  const end = choose(ends, proofs, sealedEnds);
  const seals = ends.flatMap((each) => each.seals);
  return {
    end, proofs, seals,
    settled: seats.every((seat) => named.has(seat) || endsOf(seat).length > 0),
    known: knownOf(agreement, proofs, seals),
  };
}

function choose(ends, proofs, sealedEnds) {
  if (!proofs.length) return ends[0] ?? null;
  if (sealedEnds.length === 1) return sealedEnds[0];
  const cuts = ends.filter(({ cut }) => cut !== null);
  if (!sealedEnds.length) return cuts.sort((a, b) => before(a.cut, b.cut))[0];
  const shared = cuts.filter((cut) => sealedEnds.every((end) => isIn(cut, end)));
  const latest = (a, b) => b.cut.hand - a.cut.hand || b.cut.step - a.cut.step || a.cut.seat - b.cut.seat;
  return shared.sort(latest)[0];
}

/** Whether a cut is in the log of an end. */
function isIn({ cut }, end) {
  const sameStep = ({ hand, step, head }) => hand === cut.hand && step === cut.step && same(head, cut.head);
  if (end.through.some(sameStep)) return true;
  return end.cut !== null && sameStep(end.cut) && end.cut.seat >= cut.seat;
}
