#!/usr/bin/env node
// Plays a match of two seats against `p2ptruco host`, moves at random, and keeps the record:
// node peer.mjs TICKET [RECORD]
//
// Written from wire.md and table.md. It dials once and listens nowhere; a link that is lost ends it.

import { writeFileSync } from "node:fs";
import { ed25519 } from "@noble/curves/ed25519.js";
import { randomBytes } from "@noble/hashes/utils.js";
import { concat, hex, same } from "./src/bytes.mjs";
import { encode } from "./src/pack.mjs";
import { agreementLabel, agreementOf } from "./src/agreement.mjs";
import { LABEL, entryOf } from "./src/entry.mjs";
import { Illegal } from "./src/hand.mjs";
import { dial } from "./src/link.mjs";
import { keyOf, openingFor, randomWitness, shuffle, tokensFor } from "./src/prove.mjs";
import { Refusal } from "./src/refusal.mjs";
import { sign, verify } from "./src/sign.mjs";
import { knownOf } from "./src/stands.mjs";
import { Table } from "./src/table.mjs";
import { ticketOf } from "./src/ticket.mjs";
import { PROTOCOL } from "./src/transcript.mjs";

const PULSE = 2000; // ms
const ASK = 1000; // at most one a second
const NAME = "node";
const WORDS = ["call", "accept", "run", "fold", "play", "refuse"];
const any = (list) => list[Math.floor(Math.random() * list.length)];

class Peer {
  constructor(link, identity, recordFile) {
    Object.assign(this, { link, identity, recordFile, nonce: randomBytes(32), agreement: null, table: null });
    this.signatures = [];
    this.log = []; // entries in the order in which they were added
    this.kept = [];
    this.known = null; // the other's
    this.asked = 0;
    this.stuck = "";
    this.room = null;
    this.over = new Promise((resolve) => { this.finish = resolve; });
    link.on("frame", (heard) => this.#hear(heard));
    link.on("end", (word) => this.finish(word));
    this.timer = setInterval(() => this.#pulse(), PULSE);
    this.#pulse();
    this.#enter(false);
  }

  #hear({ name, fields }) {
    try {
      this[`on_${name}`]?.(...fields);
    } catch (fault) {
      if (!(fault instanceof Refusal)) throw fault;
      this.link.close(fault.word);
    }
  }

  // Lobby and agreement (wire.md §6, §7)

  #enter(ready) {
    this.link.say("enter", NAME, null, null, true, ready);
  }

  on_room(...room) {
    const [, , , chairs, , started] = room;
    const mine = chairs.findIndex((chair) => chair && same(chair[0], this.identity.public));
    this.room = room;
    if (this.agreement || mine < 0) return;
    if (!chairs[mine][4]) this.#enter(true);
    else if (started && this.seat === undefined) {
      this.seat = mine;
      this.link.say("claim", mine, NAME, mine, this.nonce, []);
    }
  }

  on_proposal(bytes) {
    const agreement = agreementOf(bytes);
    const [name, toggles, times, chairs] = this.room;
    const asShown = agreement.variant.name === name && agreement.times.join() === times.join()
      && toggles.every(([toggle, value]) => agreement.variant.toggles[toggle] === value)
      && chairs.every((chair, seat) => same(chair[0], agreement.identities[seat]) && chair[1] === agreement.roster[seat].name);
    const { identity, operator, nonce } = agreement.roster[this.seat];
    if (!same(identity, this.identity.public) || operator !== this.seat || !same(nonce, this.nonce)) {
      throw new Refusal("malformed");
    }
    if (!asShown) throw new Refusal("leaving");
    this.agreement = agreement;
    this.#sealed(this.seat, sign(this.identity.seed, agreementLabel, agreement.table));
    this.link.say("signature", agreement.table, this.seat, this.signatures[this.seat]);
  }

  on_signature(table, seat, signature) {
    if (!this.agreement || !same(table, this.agreement.table) || seat >= this.agreement.players) {
      throw new Refusal("wrong_table");
    }
    verify(this.agreement.identities[seat], agreementLabel, table, signature);
    this.#sealed(seat, signature);
  }

  #sealed(seat, signature) {
    this.signatures[seat] = signature;
    if (this.table || this.signatures.filter(Boolean).length < this.agreement.players) return;
    this.table = new Table(this.agreement);
    this.#go();
    for (const [body, given] of this.kept.splice(0)) this.on_entry(body, given);
  }

  // Links in a match (table.md §4)

  #pulse() {
    if (!this.table) return this.link.say("pulse", 0, 0, 0, 0, new Uint8Array(32), 0, new Uint8Array(32));
    const { hand, step, head } = this.table.position;
    const others = this.agreement.roster.map((_, seat) => (seat === this.seat ? 0 : 2 ** seat));
    const hears = others.reduce((sum, bit) => sum + bit, 0);
    this.link.say("pulse", 0, hand, 0, step, head, hears, this.#seals());
    const here = `${hand}/${step}`;
    if (this.stuck === here && this.table.owing.some((seat) => seat !== this.seat) && Date.now() - this.asked > ASK) {
      this.asked = Date.now();
      this.link.say("ask", 0, hand, 0, step);
    }
    this.stuck = here;
    return undefined;
  }

  #seals() {
    return knownOf(this.agreement, [], this.log.filter(({ kind }) => kind === "seal"));
  }

  on_pulse(epoch, hand, attempt, step, head, hears, known) {
    this.known = known;
    this.#end();
  }

  on_ask(epoch, hand, attempt, step) {
    if (!this.table) return;
    const from = (entry) => entry.hand > hand || (entry.hand === hand && entry.step >= step) || entry.kind === "seal";
    for (const { body, signature } of this.log.filter(from)) this.link.say("entry", body, signature);
    this.#pulse();
  }

  on_entry(body, signature) {
    if (!this.table) return void this.kept.push([body, signature]);
    if (this.log.some((entry) => same(entry.body, body))) return;
    const entry = entryOf(this.agreement, body, signature);
    if (entry.seat === this.seat) return;
    if (!same(entry.head, this.table.head)) return void this.kept.push([body, signature]);
    this.#add(entry);
    for (const [kept, given] of this.kept.splice(0)) this.on_entry(kept, given);
  }

  #add(entry) {
    this.table.add(entry);
    this.log.push(entry);
    this.#go();
    this.#end();
  }

  // What this seat owes

  #go() {
    while (this.table.owing.includes(this.seat)) {
      const { hand, step, head } = this.table.position;
      const { identity, agreement, seat } = this;
      const body = encode([PROTOCOL, "entry", agreement.table, 0, hand, 0, step, seat, head, this.#content()]);
      const signature = sign(identity.seed, LABEL, body);
      const entry = entryOf(agreement, body, signature);
      this.link.say("entry", body, signature);
      this.table.add(entry);
      this.log.push(entry);
    }
  }

  #content() {
    const { table, seat } = this;
    const { context, joint } = table;
    switch (table.due.kind) {
      case "commit":
        this.key = keyOf(context, seat);
        return ["commit", this.key.commitment];
      case "open":
        return ["open", openingFor(context, seat, this.key)];
      case "shuffle": {
        const before = table.shuffles.at(-1)?.deck ?? table.start;
        const made = shuffle(context, joint, seat, before, randomWitness(before.a.length));
        return ["shuffle", made.deck, made.proof];
      }
      case "ready":
        return ["ready"];
      case "tokens":
        return ["tokens", table.batches(seat).map((slots) => this.#tokens(slots))];
      case "reveal":
        return ["reveal", this.#tokens([table.laid.slot])];
      case "seal":
        return ["seal", table.winner, table.shown, table.won];
      default: {
        const move = any(this.#moves());
        if (move.word) return ["say", move.word];
        const slot = 3 * seat + move.lay;
        return ["play", slot, move.faceDown, move.faceDown ? new Uint8Array() : this.#tokens([slot])];
      }
    }
  }

  #tokens(slots) {
    const { context, joint, deck } = this.table;
    return tokensFor(context, joint, this.seat, deck, slots, this.key.secret);
  }

  #moves() {
    const { play } = this.table;
    const lays = [0, 1, 2].flatMap((lay) => [false, true].map((faceDown) => ({ lay, faceDown })));
    return [...WORDS.map((word) => ({ word })), ...lays].filter((move) => {
      try {
        play.check(this.seat, move);
        return true;
      } catch (fault) {
        if (fault instanceof Illegal) return false;
        throw fault;
      }
    });
  }

  // The end

  #end() {
    if (!this.table || this.table.due || !this.known || !same(this.known, this.#seals())) return;
    if (this.recordFile) writeFileSync(this.recordFile, this.record());
    this.#pulse();
    clearInterval(this.timer);
    this.link.close("leaving");
  }

  record() {
    const order = (a, b) => a.hand - b.hand || a.step - b.step || a.seat - b.seat;
    const entries = [...this.log].sort(order).map(({ body, signature }) => encode(["entry", body, signature]));
    return concat(encode([PROTOCOL, "signed", this.agreement.bytes, this.signatures]), ...entries);
  }
}

async function main([text, recordFile]) {
  if (!text) {
    console.error("node peer.mjs TICKET [RECORD]");
    return 2;
  }
  const ticket = ticketOf(text);
  const seed = randomBytes(32);
  const identity = { seed, public: ed25519.getPublicKey(seed) };
  const link = await dial(ticket.addresses[0], ticket, identity);
  const peer = new Peer(link, identity, recordFile);
  const word = await peer.over;
  clearInterval(peer.timer);
  const { table } = peer;
  const ended = table && !table.due;
  console.log(JSON.stringify({ ended: Boolean(ended), word, table: table && hex(peer.agreement.table), score: table?.shown ?? null }));
  return ended ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2)).catch((fault) => {
  console.error(fault instanceof Refusal ? `refused: ${fault.word}` : fault);
  return 1;
});
