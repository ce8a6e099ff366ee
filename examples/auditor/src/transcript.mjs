// Hashing of items (deal.md §2): digests, challenges, hedged nonces.

import { sha512 } from "@noble/hashes/sha2.js";
import { bigEndian, bytesOf, concat, numberLittle } from "./bytes.mjs";
import { ORDER } from "./order.mjs";

export { sha512 };
export const PROTOCOL = "p2ptruco/1";
export const SUITE = "ristretto255-sha512";
export const count = (value) => bigEndian(value, 8);

const NONE = new Uint8Array();

function item(kind, label, value) {
  const name = bytesOf(label);
  return concat(bytesOf(kind), bigEndian(name.length, 2), name, bigEndian(value.length, 8), value);
}

/** First 32 bytes of SHA-512 of `label` and `items`, each [label, bytes]. */
export function digest(label, items) {
  const parts = items.map(([name, value]) => item("A", name, value));
  return sha512(concat(item("S", label, NONE), ...parts)).slice(0, 32);
}

export class Transcript {
  #hash = sha512.create();

  constructor(label) {
    this.#hash.update(item("S", label, NONE));
  }

  absorb(label, value) {
    this.#hash.update(item("A", label, value));
    return this;
  }

  /** SHA-512 of all items so far. */
  state() {
    return this.#hash.clone().digest();
  }

  challenge(label) {
    this.#hash.update(item("C", label, NONE));
    const squeezed = this.state();
    this.#hash.update(item("R", label, squeezed));
    return numberLittle(squeezed) % ORDER;
  }

  /** Nonce `j` of a proof: of its secret, of all that was absorbed, and of 32 fresh bytes. */
  nonce(secret, fresh, j) {
    const items = [["secret", secret], ["transcript", this.state()], ["fresh", fresh], ["counter", count(j)]];
    const parts = items.map(([name, value]) => item("A", name, value));
    return numberLittle(sha512(concat(item("S", `${PROTOCOL}/nonce`, NONE), ...parts))) % ORDER;
  }
}
