// What each `check` of a vector does with `given` (protocol/README.md, deal.md §11).

import { readFileSync } from "node:fs";
import { concat, hex, littleEndian, unhex } from "../src/bytes.mjs";
import { Refusal, blame } from "../src/refusal.mjs";
import * as deal from "../src/deal.mjs";
import { G, labelled, point, pointBytes, scalar, times } from "../src/group.mjs";
import { Transcript, digest } from "../src/transcript.mjs";
import { agreementOf, cutHead, endHead, handHead, joinHead, stepHead } from "../src/agreement.mjs";
import { entryOf } from "../src/entry.mjs";
import { clean } from "../src/text.mjs";
import { NoRecord, audit, unsealedBy } from "../src/record.mjs";
import { shuffle } from "../src/prove.mjs";
import { knownOf, standsOf } from "../src/stands.mjs";
import { isAcceptable, verify } from "../src/sign.mjs";
import { ticketOf } from "../src/ticket.mjs";

/** `gives` where `act` accepts, else the word and the seat of its refusal. */
function accepted(act) {
  try {
    return { expect: "accepted", gives: act() };
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault;
    return { expect: fault.word, seat: fault.seat };
  }
}

function contextOf({ table, identities, ...numbers }) {
  return { ...numbers, table: unhex(table), identities: identities.map(unhex) };
}

function openingsOf(publics, nonces) {
  return publics.map((key, seat) => blame(seat, () => ({
    public: unhex(key), point: point(unhex(key)), nonce: unhex(nonces[seat]),
  })));
}

function jointOf({ deal: given }) {
  const context = contextOf(given);
  return { context, joint: deal.join(context, openingsOf(given.publics, given.nonces)) };
}

function deckOf(text) {
  const bytes = unhex(text);
  const points = [];
  for (let at = 0; at < bytes.length; at += 32) points.push(point(bytes.subarray(at, at + 32)));
  return { bytes, a: points.filter((_, i) => i % 2 === 0), b: points.filter((_, i) => i % 2 === 1) };
}

const scalarText = (value) => hex(littleEndian(value, 32));

export const CHECKS = {
  digest: ({ given }) => accepted(() => ({
    digest: hex(digest(given.label, given.items.map(([name, value]) => [name, unhex(value)]))),
  })),
  ticket: ({ given }) => accepted(() => {
    const { addresses, relays, fingerprint, secret, ...others } = ticketOf(given.text);
    const pairs = (some) => some.map(({ host, port }) => [host, port]);
    return { ...others, addresses: pairs(addresses), relays: pairs(relays), fingerprint: hex(fingerprint), secret: hex(secret) };
  }),
  transcript: ({ given }) => accepted(() => {
    const script = new Transcript(given.label);
    const challenges = [];
    for (const step of given.steps) {
      if ("absorb" in step) script.absorb(step.absorb, unhex(step.value));
      else challenges.push(scalarText(script.challenge(step.challenge)));
    }
    return { challenges };
  }),
  nonces: ({ given, gives }) => accepted(() => {
    const script = new Transcript(given.label);
    const nonces = gives.nonces.map((_, j) => scalarText(script.nonce(unhex(given.secret), unhex(given.fresh), j)));
    return { nonces };
  }),
  point: ({ given }) => accepted(() => ({ point: hex(pointBytes(point(unhex(given.bytes)))) })),
  scalar: ({ given }) => accepted(() => ({ scalar: scalar(unhex(given.bytes)).toString() })),
  no_points: ({ given }) => {
    const words = new Set(given.points.map((text) => accepted(() => point(unhex(text))).expect));
    return { expect: [...words].join(" ") };
  },
  multiples: ({ given }) => accepted(() => ({
    points: Array.from({ length: given.below }, (_, i) => hex(pointBytes(times(G, BigInt(i))))),
  })),
  hash_to_point: ({ given }) => accepted(() => ({
    points: given.labels.map((label) => hex(pointBytes(labelled(label)))),
  })),
  commit: ({ deal: context, given }) => accepted(() => {
    const key = pointBytes(times(G, scalar(unhex(given.secret))));
    const made = deal.commitment(contextOf(context), given.seat, key, unhex(given.nonce));
    return { public: hex(key), commitment: hex(made) };
  }),
  opening: ({ deal: context, given }) => accepted(() => blame(given.seat, () => {
    const opened = deal.openingOf(contextOf(context), given.seat, unhex(given.commitment), unhex(given.opening));
    return { public: hex(opened.public), nonce: hex(opened.nonce) };
  })),
  join: ({ deal: context, given }) => accepted(() => {
    const joint = deal.join(contextOf(context), openingsOf(given.publics, given.nonces));
    return { key: hex(joint.key), hand_nonce: hex(joint.nonce) };
  }),
  chain: (vector) => accepted(() => {
    const { context, joint } = jointOf(vector);
    const { cards, shuffles } = vector.given;
    const read = shuffles.map(({ deck, proof }, seat) =>
      blame(seat, () => deal.shuffleOf(cards.length, unhex(deck), unhex(proof))));
    return { deck: hex(deal.chain(context, joint, deal.startingDeck(cards), read).bytes) };
  }),
  token: (vector) => accepted(() => blame(vector.given.seat, () => {
    const { context, joint } = jointOf(vector);
    const { deck, seat, slots, message } = vector.given;
    const tokens = deal.tokensOf(context, joint, seat, deckOf(deck), slots, unhex(message));
    return { tokens: tokens.map((token) => hex(pointBytes(token))) };
  })),
  face: ({ given }) => accepted(() => ({
    card: deal.face(given.cards, deckOf(given.deck), given.slot, given.tokens.map((token) => point(unhex(token)))),
  })),
  coin: ({ given }) => accepted(() => ({
    draws: given.draws.map(([purpose, outcomes]) => deal.draw(unhex(given.nonce), purpose, outcomes)),
  })),
  agreement: ({ given }) => accepted(() => {
    const agreement = agreementOf(unhex(given.agreement));
    return { table: hex(agreement.table), players: agreement.players, variant: agreement.variant.name };
  }),
  text: ({ given }) => accepted(() => ({ clean: clean(given.text) })),
  key: ({ given }) => (isAcceptable(unhex(given.key)) ? { expect: "accepted" } : { expect: "malformed" }),
  signature: ({ given }) => accepted(() =>
    verify(unhex(given.key), given.label, unhex(given.message), unhex(given.signature))),
  entry: ({ given }) => accepted(() => {
    const entry = entryOf(agreementOf(unhex(given.agreement)), unhex(given.body), unhex(given.signature));
    const { hand, attempt, step, seat, head, kind } = entry;
    return { hand, attempt, step, seat, head: hex(head), content: kind };
  }),
  record: ({ given }, folder) => record(given, folder),
  prove: (vector) => accepted(() => {
    const { context, joint } = jointOf(vector);
    const { given } = vector;
    const scalars = (name) => given[name].map((value) => scalar(unhex(value)));
    const [r, rd, rdd, rDelta] = scalars("r, r_d, r_d', r_delta");
    const [Rd, ra] = scalars("R_d, r_a");
    const made = shuffle(context, joint, given.seat, deal.startingDeck(given.cards), {
      order: given.order, rho: scalars("rho"), d: scalars("d"), dd: scalars("d'"), delta: scalars("delta"),
      r, rd, rdd, rDelta, Rd, ra,
    });
    return { deck: hex(made.deck), proof: hex(made.proof) };
  }),
  known: ({ given }) => accepted(() => {
    const places = (list) => list.map(([hand, attempt, step, seat, head]) => ({ hand, attempt, step, seat, head: unhex(head) }));
    const agreement = agreementOf(unhex(given.agreement));
    return { known: hex(knownOf(agreement, places(given.proofs), places(given.seals))) };
  }),
  stands: ({ given }) => accepted(() => {
    const agreement = agreementOf(unhex(given.agreement));
    const heard = given.entries.map(([body, signature]) => entryOf(agreement, unhex(body), unhex(signature)));
    const { end, settled, known } = standsOf(agreement, heard);
    const { winner, shown, won } = end.table;
    return {
      hand: end.hand, attempt: 0, step: end.step, head: hex(end.head), winner, score: shown, won,
      sealed_by: end.seals.map(({ seat }) => seat).sort(), settled, known: hex(known),
    };
  }),
  heads: ({ given }) => accepted(() => heads(given)),
};

function heads({ agreement: text, steps, cut }) {
  const { table, epoch, players } = agreementOf(unhex(text));
  const heads = [];
  let after = null;
  let behind = table; // the head after the tokens step of the hand before
  let last = table; // the head after its last step
  let before = null;
  let lastHere = table;
  let behindHere = table;
  for (const [hand, attempt, step, bodies] of steps) {
    if (step === 0) {
      if (before !== null) [last, behind] = [after, behindHere];
      after = handHead(table, epoch, hand, attempt, behind);
    } else if (step === players + 3) after = joinHead(after, last);
    heads.push(hex(after));
    before = after;
    after = stepHead(after, step, bodies.map(unhex));
    if (step === players + 3) behindHere = after;
    lastHere = after;
  }
  const [, , step] = steps.at(-1);
  const gives = { heads, after: hex(lastHere) };
  let ended = after;
  if (cut !== undefined) {
    ended = cutHead(before, step, cut);
    gives.cut = hex(ended);
  }
  return { ...gives, end: hex(endHead(ended, last)) };
}

function record({ file, edits = [] }, folder) {
  let bytes = file ? readFileSync(new URL(file, folder)) : new Uint8Array();
  bytes = new Uint8Array(bytes);
  for (const [at, gone, come] of edits) bytes = concat(bytes.subarray(0, at), unhex(come), bytes.subarray(at + gone));
  let found;
  try {
    found = audit(bytes);
  } catch (fault) {
    if (!(fault instanceof NoRecord)) throw fault;
    return { expect: "no_record" };
  }
  if (found.why) throw found.why;
  if (found.fault) return { expect: found.fault.word, ...found.at, seat: found.fault.seat };
  const { table, counts, status, agreement, writtenBy } = found;
  const named = table.named && [table.named.word, table.named.hand, table.named.step, table.named.seat];
  const gives = {
    table: hex(agreement.table), hands: table.results, violation: named,
    unsealed_by: unsealedBy(found), written_by: writtenBy, ...counts,
  };
  if (status !== "interrupted") Object.assign(gives, { winner: table.winner, score: table.shown, won: table.won });
  return { expect: status, gives };
}
