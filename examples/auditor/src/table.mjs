// The table (table.md §1, §2, §6): what is due, and what each closed step makes of the match.
//
// Entries are added one after the other; a step closes with its last. `position` is where the
// table stands, `due` what it waits for: { kind, seats }, kind a content of table.md §1 or
// "choice". After the last seal `due` is null.

import { compare, same } from "./bytes.mjs";
import { Refusal } from "./refusal.mjs";
import { cutHead, endHead, handHead, joinHead, stepHead } from "./agreement.mjs";
import * as deal from "./deal.mjs";
import { HIDDEN, Hand, Illegal, team } from "./hand.mjs";

const all = (players) => Array.from({ length: players }, (_, seat) => seat);
const notDue = (why) => new Refusal("not_due", why);

export class Table {
  constructor(agreement) {
    this.agreement = agreement;
    this.players = agreement.players;
    this.variant = agreement.variant;
    this.score = [0, 0]; // before the hand
    this.shown = [0, 0]; // after the last finished hand
    this.won = [0, 0];
    this.winner = null;
    this.early = false; // whether something ended the match before its time
    this.over = false;
    this.cut = null;
    this.violation = null; // { word, hand, step, seat }
    this.illegal = null;
    this.dealer = null;
    this.sealed = [];
    this.stories = []; // what there is to tell of each hand that was begun
    this.hand = -1;
    this.last = agreement.table; // the head after the last step of the hand before
    this.#nextHand(agreement.table);
  }

  get position() {
    return { hand: this.hand, step: this.step, head: this.head };
  }

  /** The seats that still owe an entry in the open step. */
  get owing() {
    return this.due ? this.due.seats.filter((seat) => !this.entries.some((entry) => entry.seat === seat)) : [];
  }

  get results() {
    return this.stories.flatMap(({ result }) => (result ? [[result.winner, result.points, result.how]] : []));
  }

  /** The violation to name: what ended the match, or the first illegal move of one that ended in its time. */
  get named() {
    return this.violation ?? (this.early ? null : this.illegal);
  }

  add(entry) {
    this.#check(entry);
    if (!this.#isOfKind(entry)) throw notDue("another content than the step asks for");
    if (this.over && !this.#isGoodSeal(entry)) throw new Refusal("bad_seal", "the seal says otherwise than the log");
    this.story.entries += 1;
    this.entries.push(entry);
    this.entries.sort((a, b) => a.seat - b.seat);
    if (this.owing.length === 0) this.#close();
  }

  /** End the match with the proof that a seat said two things in the open place. */
  prove(first, second) {
    this.#check(first);
    if (this.entries.length) throw notDue("a proof in a step that has entries");
    const place = ({ hand, attempt, step, seat }) => [hand, attempt, step, seat].join();
    if (place(first) !== place(second) || !same(first.head, second.head)) {
      throw new Refusal("malformed", "bodies in two places", first.seat);
    }
    if (compare(first.body, second.body) >= 0) throw new Refusal("malformed", "bodies not in order", first.seat);
    if (this.over || ![first, second].some((entry) => this.#isOfKind(entry))) throw notDue("neither was due");
    const { seat } = first;
    this.violation = { word: "equivocation", hand: this.hand, step: this.step, seat };
    this.cut = seat;
    this.#end(1 - team(seat), cutHead(this.head, this.step, seat));
  }

  #check(entry) {
    if (!this.due) throw notDue("nothing is due after the end");
    if (!same(entry.head, this.head)) {
      throw this.over ? notDue("another head than the seals stand on") : new Refusal("bad_head", "a head that the game does not reach");
    }
    if (entry.hand !== this.hand || entry.attempt !== 0 || entry.step !== this.step) throw notDue("another position");
    if (!this.owing.includes(entry.seat)) throw notDue("a seat that owes nothing here");
  }

  #isOfKind({ kind }) {
    if (kind === "leave") return !this.over;
    return this.due.kind === "choice" ? kind === "play" || kind === "say" : kind === this.due.kind;
  }

  #isGoodSeal({ fields: [winner, score, won] }) {
    return winner === this.winner && score.join() === this.shown.join() && won.join() === this.won.join();
  }

  // Steps

  #open(step, head, kind, seats = all(this.players)) {
    Object.assign(this, { step, head, due: { kind, seats }, entries: [] });
  }

  #nextHand(behind) {
    const { table, epoch, identities } = this.agreement;
    this.hand += 1;
    this.context = { table, epoch, hand: this.hand, attempt: 0, identities };
    this.commitments = [];
    this.joint = null;
    this.shuffles = [];
    this.deck = null;
    this.tokens = []; // by slot, then by seat
    this.tokensHead = null;
    this.play = null;
    this.laid = null; // { seat, slot } of a card that waits for its tokens
    this.story = { hand: this.hand, score: this.score, dealer: null, kind: null, vira: null, cards: {}, moves: [],
      shuffles: 0, tokens: 0, openings: 0, entries: 0, tricks: [], result: null, after: null };
    this.stories.push(this.story);
    if (this.dealer !== null) this.#deal();
    this.#open(0, handHead(table, epoch, this.hand, 0, behind), "commit");
  }

  #deal() {
    const { variant, players, dealer, score } = this;
    this.play = new Hand({ variant, players, dealer, score });
    Object.assign(this.story, { dealer, kind: this.play.kind, tricks: this.play.tricks });
  }

  #close() {
    const { due: { kind }, step, head, entries } = this;
    const after = stepHead(head, step, entries.map(({ body }) => body));
    if (kind === "seal") {
      this.sealed = entries.map(({ seat }) => seat);
      Object.assign(this, { step: step + 1, head: after, due: null, entries: [] });
      return;
    }
    const next = this[`_${kind}`](entries, after);
    if (next === "lost") this.#lose(after);
    else if (entries.some((entry) => entry.kind === "leave")) this.#left(entries, after);
    else if (next) this.#open(step + 1, ...next);
    else this.#finishHand(after);
  }

  /** Whether a check of each entry's content fails for one; the first is named. */
  #fails(entries, word, check) {
    for (const entry of entries) {
      if (entry.kind === "leave") continue;
      try {
        check(entry);
      } catch (fault) {
        if (!(fault instanceof Refusal)) throw fault;
        this.#violate(fault.word === "not_in_group" ? fault.word : word, entry.seat, this.step);
        return true;
      }
    }
    return false;
  }

  #violate(word, seat, step) {
    this.violation = { word, hand: this.hand, step, seat };
  }

  #lose(after) {
    this.#end(1 - team(this.violation.seat), after);
  }

  #end(winner, head) {
    this.winner = winner;
    this.early = true;
    this.over = true;
    this.#open(this.step + 1, endHead(head, this.last), "seal");
  }

  #left(entries, after) {
    const sides = new Set(entries.filter(({ kind }) => kind === "leave").map(({ seat }) => team(seat)));
    for (const { kind, seat } of entries) if (kind === "leave") this.story.moves.push({ seat, left: true });
    const winner = sides.size === 2 ? null : 1 - [...sides][0];
    if (winner !== null && this.play) {
      this.play.give(winner, "absent");
      this.#count();
    }
    this.#end(winner, after);
  }

  /** The result of the hand into score and matches won; true if a match ended with it. */
  #count() {
    const { score, match } = this.play.after;
    this.story.result = this.play.result;
    this.story.after = score;
    this.shown = score;
    this.score = score;
    if (match !== null) this.won = this.won.map((won, side) => won + (side === match ? 1 : 0));
    return match !== null;
  }

  #finishHand(after) {
    const { step, players } = this;
    if (this.#count()) {
      const best = [0, 1].find((side) => 2 * this.won[side] > this.variant.best_of);
      if (best !== undefined) {
        this.winner = best;
        this.over = true;
        return this.#open(step + 1, after, "seal");
      }
      this.score = [0, 0];
    }
    this.last = after;
    this.dealer = (this.dealer + 1) % players;
    return this.#nextHand(this.tokensHead);
  }

  // What each step's close does: the next step, nothing where the hand is over, or "lost"

  _commit(entries, after) {
    this.commitments = entries.map(({ fields }) => fields?.[0]);
    return [after, "open"];
  }

  _open(entries, after) {
    const openings = [];
    const taken = [];
    const bad = this.#fails(entries, "bad_opening", ({ seat, fields: [bytes] }) => {
      const opening = deal.openingOf(this.context, seat, this.commitments[seat], bytes);
      if (taken.some((key) => same(key, opening.public))) throw new Refusal("bad_opening", "a key that is taken");
      taken.push(opening.public);
      openings.push(opening);
    });
    if (bad) return "lost";
    this.story.openings = openings.length;
    if (openings.length < this.players) return null; // somebody left
    try {
      this.joint = deal.join(this.context, openings);
    } catch (fault) {
      if (!(fault instanceof Refusal)) throw fault;
      this.#violate(fault.word, fault.seat, this.step);
      return "lost";
    }
    this.start = deal.startingDeck(this.variant.deck);
    return [after, "shuffle", [0]];
  }

  _shuffle([{ kind, seat, fields }], after) {
    if (kind === "leave") return null;
    let fault = null;
    try {
      this.shuffles.push(deal.shuffleOf(this.variant.deck.length, ...fields));
    } catch (refused) {
      if (!(refused instanceof Refusal)) throw refused;
      fault = { word: refused.word === "not_in_group" ? "not_in_group" : "bad_proof", seat };
    }
    if (fault || this.shuffles.length === this.players) {
      try {
        this.deck = deal.chain(this.context, this.joint, this.start, this.shuffles);
      } catch (refused) {
        if (!(refused instanceof Refusal)) throw refused;
        fault = refused;
      }
      if (fault) {
        this.#violate(fault.word, fault.seat, 2 + fault.seat);
        return "lost";
      }
      this.story.shuffles = this.players;
      return [after, "ready"];
    }
    return [after, "shuffle", [seat + 1]];
  }

  _ready(entries, after) {
    if (entries.some(({ kind }) => kind === "leave")) return null;
    if (this.dealer === null) {
      this.dealer = deal.draw(this.joint.nonce, "dealer", this.players);
      this.#deal();
    }
    return [joinHead(after, this.last), "tokens"];
  }

  /** The slots of each batch that a seat owes in the tokens step. */
  batches(seat) {
    const others = this.play.blind ? [] : all(this.players).filter((other) => other !== seat);
    const hands = others.map((other) => [3 * other, 3 * other + 1, 3 * other + 2]);
    return this.variant.vira ? [...hands, [3 * this.players]] : hands;
  }

  _tokens(entries, after) {
    const bad = this.#fails(entries, "bad_token", ({ seat, fields: [given] }) => {
      const batches = this.batches(seat);
      if (given.length !== batches.length) throw new Refusal("bad_token", "another number of batches");
      batches.forEach((slots, i) => {
        const tokens = deal.tokensOf(this.context, this.joint, seat, this.deck, slots, given[i]);
        slots.forEach((slot, j) => this.#keep(slot, seat, tokens[j]));
      });
    });
    if (bad) return "lost";
    this.tokensHead = after;
    if (entries.some(({ kind }) => kind === "leave")) return null;
    if (this.variant.vira) {
      this.play.vira = this.#face(3 * this.players);
      this.story.vira = this.play.vira;
    }
    return this.#choice(after);
  }

  #keep(slot, seat, token) {
    (this.tokens[slot] ??= [])[seat] = token;
    this.story.tokens += 1;
  }

  #face(slot) {
    const card = deal.face(this.variant.deck, this.deck, slot, this.tokens[slot]);
    if (card === null) throw new Error("a slot that opens to no card of the deck");
    return card;
  }

  #choice(after) {
    return this.play.result ? null : [after, "choice", [this.play.speaker]];
  }

  _choice([entry], after) {
    const { kind, seat, fields } = entry;
    if (kind === "leave") return null;
    try {
      return kind === "say" ? this.#say(seat, fields[0], after) : this.#lay(seat, fields, after);
    } catch (fault) {
      if (!(fault instanceof Illegal)) throw fault;
      this.illegal ??= { word: "illegal_move", hand: this.hand, step: this.step, seat };
      this.story.moves.push({ seat, illegal: fault.code });
      this.play.give(1 - team(seat), "illegal");
      return null;
    }
  }

  #say(seat, word, after) {
    this.play.check(seat, { word });
    const call = word === "call" ? this.variant.scale.calls[this.play.callOf(team(seat))].word : null;
    this.play.do(seat, { word });
    this.story.moves.push({ seat, word, call });
    return this.#choice(after);
  }

  #lay(seat, [slot, faceDown, bytes], after) {
    const position = slot - 3 * seat;
    const move = { lay: position >= 0 && position < 3 ? position : null, faceDown };
    this.play.check(seat, move);
    const bad = this.#fails([{ seat, fields: [bytes] }], "bad_token", () => {
      if (!faceDown) this.#keep(slot, seat, deal.tokensOf(this.context, this.joint, seat, this.deck, [slot], bytes)[0]);
      else if (bytes.length) throw new Refusal("bad_token", "a token with a card face down");
    });
    if (bad) return "lost";
    if (this.play.blind) {
      this.laid = { seat, slot, move };
      return [after, "reveal", all(this.players).filter((other) => other !== seat)];
    }
    this.#turnUp(seat, slot, move);
    return this.#choice(after);
  }

  #turnUp(seat, slot, move) {
    const card = move.faceDown ? HIDDEN : this.#face(slot);
    this.play.do(seat, move, card);
    this.story.moves.push({ seat, slot, card, strength: this.play.strength(card) });
    if (!move.faceDown) this.story.cards[slot] = card;
  }

  _reveal(entries, after) {
    const { seat: owner, slot, move } = this.laid;
    const bad = this.#fails(entries, "bad_token", ({ seat, fields: [bytes] }) => {
      this.#keep(slot, seat, deal.tokensOf(this.context, this.joint, seat, this.deck, [slot], bytes)[0]);
    });
    if (bad) return "lost";
    if (entries.some(({ kind }) => kind === "leave")) return null;
    this.#turnUp(owner, slot, move);
    return this.#choice(after);
  }
}
