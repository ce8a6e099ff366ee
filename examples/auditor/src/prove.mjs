// The deal as a seat makes it (deal.md §3, §4, §6): keys, shuffles with their proofs, tokens.
//
// JavaScript's numbers take no constant time: fit for an example that plays against friends, not
// for secrets that somebody on the same machine wants.

import { randomBytes } from "@noble/hashes/utils.js";
import { concat, numberLittle } from "./bytes.mjs";
import { commitment, possession, shuffleTranscript, tokenTranscript, transcript } from "./deal.mjs";
import { G, ORDER, generator, mod, pointBytes, scalarBytes, sumOf, times } from "./group.mjs";
import { count } from "./transcript.mjs";

export const randomScalar = () => numberLittle(randomBytes(64)) % ORDER;

function randomKey() {
  for (;;) {
    const secret = randomScalar();
    if (secret !== 0n) return secret;
  }
}

/** A uniform number below `most`. */
function below(most) {
  const limit = 2 ** 32 - (2 ** 32 % most);
  for (;;) {
    const drawn = new DataView(randomBytes(4).buffer).getUint32(0);
    if (drawn < limit) return drawn % most;
  }
}

export function randomOrder(size) {
  const order = Array.from({ length: size }, (_, i) => i);
  for (let i = size - 1; i > 0; i -= 1) {
    const j = below(i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

export function keyOf(context, seat, secret = randomKey(), nonce = randomBytes(32)) {
  const publicBytes = pointBytes(times(G, secret));
  return { secret, nonce, public: publicBytes, commitment: commitment(context, seat, publicBytes, nonce) };
}

/** The 128 bytes that open what was committed to. */
export function openingFor(context, seat, key) {
  const items = [["seat", count(seat)], ["identity", context.identities[seat]], ["public", key.public]];
  const k = transcript("possession", context, items).nonce(scalarBytes(key.secret), randomBytes(32), 0);
  const challenge = possession(context, seat, key.public, pointBytes(times(G, k)));
  return concat(key.public, key.nonce, scalarBytes(challenge), scalarBytes(mod(k + challenge * key.secret)));
}

const commit = (values, blinder) => sumOf([[blinder, G], ...values.map((value, i) => [value, generator(i)])]);

export function randomWitness(size) {
  const scalars = (length) => Array.from({ length }, randomScalar);
  const dd = scalars(size);
  const [r, rd, rdd, rDelta] = scalars(4);
  const [Rd, ra] = scalars(2);
  return {
    order: randomOrder(size), rho: scalars(size), d: scalars(size), dd,
    delta: [dd[0], ...scalars(size - 2), 0n], r, rd, rdd, rDelta, Rd, ra,
  };
}

/** The deck that `witness` makes of `before`, and its proof, as on the wire. */
export function shuffle(context, joint, seat, before, witness) {
  const { order, rho, d, dd, delta, r, rd, rdd, rDelta, Rd, ra } = witness;
  const size = order.length;
  const a = order.map((from, i) => before.a[from].add(times(G, rho[i])));
  const b = order.map((from, i) => before.b[from].add(times(joint.point, rho[i])));
  const deck = concat(...a.flatMap((point, i) => [pointBytes(point), pointBytes(b[i])]));

  const first = concat(...[
    commit(order.map((from) => BigInt(from + 1)), r), commit(d.map((value) => -value), rd), commit(dd, rdd),
    commit(delta.slice(0, -1).map((value, i) => -value * dd[i + 1]), rDelta),
    sumOf([[Rd, G], ...d.map((value, i) => [-value, a[i]])]),
    sumOf([[Rd, joint.point], ...d.map((value, i) => [-value, b[i]])]),
  ].map(pointBytes));
  const script = shuffleTranscript(context, joint, seat, before.bytes, deck).absorb("first", first);
  const t = Array.from({ length: size }, () => script.challenge("t"));
  const f = order.map((from, i) => mod(t[from] + d[i]));
  const Z = mod(order.reduce((sum, from, i) => sum + t[from] * rho[i], Rd));
  const second = concat(...f.map(scalarBytes), scalarBytes(Z));
  script.absorb("second", second);
  const lambda = script.challenge("lambda");
  const x = script.challenge("x");

  const m = order.map((from) => mod(lambda * BigInt(from + 1) + t[from]));
  let product = 1n;
  const products = m.map((value) => (product = mod(product * (value - x))));
  const W = Array.from({ length: size - 1 }, (_, i) =>
    mod(delta[i + 1] - (m[i + 1] - x) * delta[i] - products[i] * dd[i + 1]));
  const ca = pointBytes(commit(W, ra));
  const kappa = script.absorb("c_a", ca).challenge("kappa");
  const F = m.map((value, i) => mod(kappa * value + dd[i]));
  const FDelta = W.map((value, i) => mod(kappa * value - delta[i] * dd[i + 1]));
  const last = [...F, ...FDelta, kappa * (lambda * r + rd) + rdd, kappa * ra + rDelta];
  return { deck, proof: concat(first, second, ca, ...last.map((value) => scalarBytes(mod(value)))) };
}

/** The tokens of `slots` with their proof, as on the wire. */
export function tokensFor(context, joint, seat, deck, slots, secret) {
  const tokens = slots.map((slot) => pointBytes(times(deck.a[slot], secret)));
  const script = tokenTranscript(context, joint, seat, deck, slots, tokens);
  const weights = slots.map((_, j) => (j === 0 ? 1n : script.challenge("weight")));
  const masked = sumOf(slots.map((slot, j) => [weights[j], deck.a[slot]]));
  const u = script.nonce(scalarBytes(secret), randomBytes(32), 0);
  script.absorb("first", concat(pointBytes(times(G, u)), pointBytes(times(masked, u))));
  const challenge = script.challenge("challenge");
  return concat(...tokens, scalarBytes(challenge), scalarBytes(mod(u + challenge * secret)));
}
