// The deal as its verifier sees it (deal.md §3 to §7, §9).
//
// A context is { table, epoch, hand, attempt, identities }; a joint is what all openings gave:
// { publics, points, key, point, nonce }. Decks are { bytes, a: [point], b: [point] }.

import { randomBytes } from "@noble/hashes/utils.js";
import { bytesOf, concat, hex, numberBig, pieces, same } from "./bytes.mjs";
import { Refusal, malformed } from "./refusal.mjs";
import { SUITE, PROTOCOL, Transcript, count, digest } from "./transcript.mjs";
import { G, IDENTITY, ORDER, ZERO, cardPoint, facesOf, generator, mod, point, pointBytes, scalar, sumOf } from "./group.mjs";

const label = (name) => `${PROTOCOL}/${name}`;

/** The items that every hash of a hand begins with. */
function place({ table, epoch, hand, attempt }) {
  return [
    ["suite", bytesOf(SUITE)], ["table", table], ["epoch", count(epoch)], ["hand", count(hand)],
    ["attempt", count(attempt)],
  ];
}

export function transcript(name, context, items) {
  const made = new Transcript(label(name));
  for (const [key, value] of [...place(context), ...items]) made.absorb(key, value);
  return made;
}

const speaker = (context, seat) => [["seat", count(seat)], ["identity", context.identities[seat]]];

// Keys (§3)

export function commitment(context, seat, publicBytes, nonce) {
  return digest(label("commit"), [
    ...place(context), ...speaker(context, seat), ["public", publicBytes], ["nonce", nonce],
  ]);
}

export function possession(context, seat, publicBytes, first) {
  return transcript("possession", context, [...speaker(context, seat), ["public", publicBytes]])
    .absorb("first", first).challenge("challenge");
}

export function openingOf(context, seat, committed, bytes) {
  if (bytes.length !== 128) throw malformed("an opening of another length");
  const [publicBytes, nonce, challengeBytes, answerBytes] = pieces(bytes, 32);
  const key = point(publicBytes);
  const challenge = scalar(challengeBytes);
  const answer = scalar(answerBytes);
  if (!same(commitment(context, seat, publicBytes, nonce), committed)) {
    throw new Refusal("bad_opening", "not what was committed to");
  }
  const first = pointBytes(sumOf([[answer, G], [-challenge, key]]));
  if (possession(context, seat, publicBytes, first) !== challenge) {
    throw new Refusal("bad_opening", "no proof that the key's secret is known");
  }
  return { public: publicBytes, point: key, nonce };
}

export function join(context, openings) {
  const taken = new Set();
  openings.forEach(({ public: key }, seat) => {
    if (taken.has(hex(key))) throw new Refusal("bad_opening", "a key that an earlier seat has", seat);
    taken.add(hex(key));
  });
  const sum = openings.reduce((all, opening) => all.add(opening.point), ZERO);
  if (sum.is0()) throw new Refusal("bad_opening", "the sum of the keys is the identity", openings.length - 1);
  const items = openings.flatMap((opening) => [["public", opening.public], ["nonce", opening.nonce]]);
  return {
    publics: openings.map((opening) => opening.public),
    points: openings.map((opening) => opening.point),
    point: sum,
    key: pointBytes(sum),
    nonce: digest(label("hand-nonce"), [...place(context), ...items]),
  };
}

// Decks and shuffles (§4)

export function startingDeck(cards) {
  const b = cards.map(cardPoint);
  return {
    a: cards.map(() => ZERO), b, cards,
    bytes: concat(...b.flatMap((card) => [IDENTITY, pointBytes(card)])),
  };
}

/** A deck and its proof as received, taken apart; lengths first, then every point and scalar. */
export function shuffleOf(size, deckBytes, proofBytes) {
  if (deckBytes.length !== 64 * size) throw malformed("a deck of another length");
  if (proofBytes.length !== 96 * size + 288) throw malformed("a proof of another length");
  const points = pieces(deckBytes, 32).map(point);
  const deck = {
    bytes: deckBytes,
    a: points.filter((_, i) => i % 2 === 0),
    b: points.filter((_, i) => i % 2 === 1),
  };
  const values = pieces(proofBytes, 32);
  const n = size;
  const firstPoints = values.slice(0, 6).map(point);
  const second = values.slice(6, 7 + n).map(scalar);
  const ca = point(values[7 + n]);
  const last = values.slice(8 + n).map(scalar);
  const [c, cd, cdd, cDelta, eA, eB] = firstPoints;
  return {
    deck,
    proof: {
      c, cd, cdd, cDelta, eA, eB, ca,
      f: second.slice(0, n), Z: second[n],
      F: last.slice(0, n), FDelta: last.slice(n, 2 * n - 1), z: last[2 * n - 1], zDelta: last[2 * n],
      bytes: {
        first: proofBytes.subarray(0, 192),
        second: proofBytes.subarray(192, 192 + 32 * (n + 1)),
        ca: values[7 + n],
      },
    },
  };
}

export function shuffleTranscript(context, joint, seat, before, after) {
  return transcript("shuffle", context, [
    ["seat", count(seat)], ["hand-nonce", joint.nonce], ["joint-key", joint.key],
    ["before", before], ["after", after],
  ]);
}

/** The linear equations of one proof, each a list of [scalar, point], after all that needs no group. */
function equations(context, joint, seat, before, { deck, proof }) {
  const size = deck.a.length;
  const bad = (what) => new Refusal("bad_proof", what, seat);
  if (new Set(pieces(deck.bytes, 32).filter((_, i) => i % 2 === 0).map(hex)).size !== size) {
    throw bad("two first components are equal");
  }
  const script = shuffleTranscript(context, joint, seat, before.bytes, deck.bytes)
    .absorb("first", proof.bytes.first);
  const t = Array.from({ length: size }, () => script.challenge("t"));
  script.absorb("second", proof.bytes.second);
  const lambda = script.challenge("lambda");
  const x = script.challenge("x");
  const kappa = script.absorb("c_a", proof.bytes.ca).challenge("kappa");
  if (kappa === 0n) throw bad("the last challenge is zero");

  // y_{i+1} is multiplied by kappa^{i+1} here, so that nothing is divided.
  let product = mod(proof.F[0] - kappa * x);
  let power = 1n;
  let goal = mod(lambda + t[0] - x);
  for (let i = 0; i < size - 1; i += 1) {
    product = mod(product * (proof.F[i + 1] - kappa * x) + power * proof.FDelta[i]);
    power = mod(power * kappa);
    goal = mod(goal * (lambda * BigInt(i + 2) + t[i + 1] - x));
  }
  if (product !== mod(power * kappa * goal)) throw bad("the product check fails");

  const { c, cd, cdd, cDelta, eA, eB, ca, f, F, FDelta, z, zDelta, Z } = proof;
  return [
    [
      [kappa * lambda, c], [kappa, cd], [1n, cdd], [-z, G],
      ...f.map((value, i) => [kappa * value - F[i], generator(i)]),
    ],
    [[kappa, ca], [1n, cDelta], [-zDelta, G], ...FDelta.map((value, i) => [-value, generator(i)])],
    [
      [1n, eA], [-Z, G],
      ...f.map((value, i) => [value, deck.a[i]]), ...t.map((value, i) => [-value, before.a[i]]),
    ],
    [
      [1n, eB], [-Z, joint.point],
      ...f.map((value, i) => [value, deck.b[i]]), ...t.map((value, i) => [-value, before.b[i]]),
    ],
  ];
}

const weight = () => numberBig(randomBytes(16));

/** Whether the equations hold together, each under a weight of its own drawn now. */
function holds(lists) {
  const coefficients = new Map();
  for (const list of lists) {
    const w = weight();
    for (const [value, base] of list) {
      coefficients.set(base, (coefficients.get(base) ?? 0n) + w * mod(value));
    }
  }
  coefficients.delete(ZERO);
  return sumOf([...coefficients].map(([base, value]) => [value, base])).is0();
}

/** The last deck of `shuffles`, one for each seat in order; refuses with the first seat that fails. */
export function chain(context, joint, start, shuffles) {
  const befores = [start, ...shuffles.map(({ deck }) => deck)];
  const lists = [];
  let fault = null;
  for (const [seat, shuffle] of shuffles.entries()) {
    try {
      lists.push(equations(context, joint, seat, befores[seat], shuffle));
    } catch (refused) {
      if (!(refused instanceof Refusal)) throw refused;
      fault = refused;
      break;
    }
  }
  if (!holds(lists.flat())) {
    const seat = lists.findIndex((list) => !holds(list));
    if (seat >= 0) throw new Refusal("bad_proof", "a linear equation fails", seat);
  }
  if (fault) throw fault;
  return befores.at(-1);
}

// Tokens (§6)

export function tokenTranscript(context, joint, seat, deck, slots, tokens) {
  const masked = slots.map((slot) => deck.bytes.subarray(64 * slot, 64 * slot + 32));
  return transcript("token", context, [
    ["seat", count(seat)], ["hand-nonce", joint.nonce], ["joint-key", joint.key],
    ["public", joint.publics[seat]], ["slots", concat(...slots.map(count))],
    ["masked", concat(...masked)], ["tokens", concat(...tokens)],
  ]);
}

/** The tokens of `slots` in a message of `seat`, each as a point. */
export function tokensOf(context, joint, seat, deck, slots, bytes) {
  if (bytes.length !== 32 * slots.length + 64) throw malformed("tokens of another length");
  const values = pieces(bytes, 32);
  const tokenBytes = values.slice(0, slots.length);
  const tokens = tokenBytes.map(point);
  const challenge = scalar(values[slots.length]);
  const answer = scalar(values[slots.length + 1]);
  const bad = (what) => new Refusal("bad_token", what);
  if (new Set(slots).size !== slots.length) throw bad("a slot named twice");
  if (slots.some((slot) => !(slot >= 0 && slot <= 3 * joint.publics.length && slot < deck.a.length))) {
    throw bad("a slot that is nobody's");
  }
  const script = tokenTranscript(context, joint, seat, deck, slots, tokenBytes);
  const weights = slots.map((_, j) => (j === 0 ? 1n : script.challenge("weight")));
  const first = sumOf([[answer, G], [-challenge, joint.points[seat]]]);
  const second = sumOf(slots.flatMap((slot, j) => [
    [answer * weights[j], deck.a[slot]], [-challenge * weights[j], tokens[j]],
  ]));
  script.absorb("first", concat(pointBytes(first), pointBytes(second)));
  if (script.challenge("challenge") !== challenge) throw bad("the proof fails");
  return tokens;
}

/** The card that all tokens of a slot open, or null. */
export function face(cards, deck, slot, tokens) {
  const opened = tokens.reduce((rest, token) => rest.subtract(token), deck.b[slot]);
  return facesOf(cards).get(hex(pointBytes(opened))) ?? null;
}

// Coins (§7)

export function draw(nonce, purpose, outcomes) {
  const m = BigInt(outcomes);
  const limit = (1n << 256n) - ((1n << 256n) % m);
  for (let attempt = 0; ; attempt += 1) {
    const block = numberBig(digest(label("coin"), [
      ["nonce", nonce], ["purpose", bytesOf(purpose)], ["outcomes", count(outcomes)], ["attempt", count(attempt)],
    ]));
    if (block < limit) return Number(block % m);
  }
}
