// One hand of truco (rules.md §2 to §6). Seats count from 0 here; team = seat mod 2.
//
// The hand knows positions (0 to 2 of a seat) and the cards that are known; whoever plays it, a
// file in the notation or the log of a table, says what lies where. `question` is what it waits
// for; a move that is not among its answers is refused with a code of rules.md §9.

export const HIDDEN = "x";

export class Illegal extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

const ANSWERS = ["accept", "run", "call", "timeout"];
const DECISIONS = ["play", "refuse", "timeout"];
const team = (seat) => seat % 2;

export class Hand {
  constructor({ variant, players, dealer, score, vira = null }) {
    const lacks = score.map((points) => points >= variant.target - variant.scale.base);
    this.variant = variant;
    this.players = players;
    this.dealer = dealer;
    this.scoreBefore = score;
    this.vira = vira;
    this.kind = lacks[0] && lacks[1] ? "iron" : lacks[0] || lacks[1] ? "special" : "normal";
    this.special = this.kind === "special" ? lacks.indexOf(true) : null;
    this.blind = this.kind === "iron" && variant.iron === "blind";
    this.deciding = this.kind === "special" && variant.special_decision === "yes";
    this.value = this.kind === "special" && !this.deciding ? variant.scale.calls[0].points : variant.scale.base;
    this.accepted = -1; // the last step accepted, an index of the scale's calls
    this.lastCaller = null;
    this.pending = null; // { call, by }
    this.tricks = [];
    this.table = []; // [seat, card or HIDDEN]
    this.leader = (dealer + 1) % players;
    this.result = null;
    this.laid = Array.from({ length: players }, () => [false, false, false]);
  }

  /** { kind, seats }: whose answer the hand waits for; null once it has its result. */
  get question() {
    if (this.result) return null;
    if (this.deciding) return { kind: "decision", seats: this.#ofTeam(this.special) };
    if (this.pending) return { kind: "answer", seats: this.#ofTeam(1 - team(this.pending.by)) };
    return { kind: "turn", seats: [(this.leader + this.table.length) % this.players] };
  }

  /** The one seat that speaks for whoever may answer (table.md §3). */
  get speaker() {
    const { kind, seats } = this.question;
    const from = kind === "decision" ? this.dealer : kind === "answer" ? this.pending.by : null;
    if (from === null) return seats[0];
    for (let i = 1; ; i += 1) if (seats.includes((from + i) % this.players)) return (from + i) % this.players;
  }

  #ofTeam(side) {
    return Array.from({ length: this.players }, (_, seat) => seat).filter((seat) => team(seat) === side);
  }

  /** The call that `side` could make now, an index of the scale's calls; null for none. */
  callOf(side) {
    const { calls } = this.variant.scale;
    if (this.kind === "special") {
      return this.variant.call_in_special === "forfeit" && !this.deciding && !this.pending ? 0 : null;
    }
    if (this.kind === "iron" || this.lastCaller !== null && team(this.lastCaller) === side) return null;
    const next = (this.pending ? this.pending.call : this.accepted) + 1;
    return next < calls.length ? next : null;
  }

  get mayFold() {
    return this.variant.fold === "yes" && this.kind !== "iron";
  }

  get mayLayFaceDown() {
    const from = this.variant.face_down_from;
    return this.kind !== "iron" && from !== "none" && this.tricks.length + 1 >= +from;
  }

  /** Refuse what `seat` may not do now. `move` is { word }, or { lay: position or null, faceDown }. */
  check(seat, move) {
    const { question } = this;
    const word = move.word ?? "lay";
    if (!question) throw new Illegal("hand_over", "the hand is over");
    if (!question.seats.includes(seat)) throw new Illegal("not_your_turn", "this seat may not act now");
    if (question.kind === "decision" && !DECISIONS.includes(word)) {
      throw new Illegal("decision_pending", "the team has not decided whether it plays");
    }
    if (question.kind !== "decision" && (word === "play" || word === "refuse")) {
      throw new Illegal("no_decision", "there is nothing to decide");
    }
    if (question.kind === "answer" && !ANSWERS.includes(word)) {
      throw new Illegal("call_pending", "a call waits for its answer");
    }
    if (question.kind === "turn" && (word === "accept" || word === "run")) {
      throw new Illegal("no_call_pending", "there is no call to answer");
    }
    if (word === "lay") {
      if (move.lay === null || this.laid[seat][move.lay]) throw new Illegal("not_in_hand", "not in the hand");
      if (move.faceDown && !this.mayLayFaceDown) {
        throw new Illegal("face_down_not_allowed", "no card may be laid face down now");
      }
    }
    if (word === "fold" && !this.mayFold) throw new Illegal("cannot_fold", "nobody may fold now");
    if (word === "call") {
      const call = this.callOf(team(seat));
      if (call === null) throw new Illegal("cannot_call", "no call is possible for this team now");
      if (move.call !== undefined && move.call !== call) throw new Illegal("wrong_call", "another call is the next");
    }
  }

  /** Do what was checked; a card laid open is given as `card`. */
  do(seat, move, card = null) {
    const { calls, base } = this.variant.scale;
    const other = 1 - team(seat);
    switch (move.word) {
      case undefined:
        return this.#lay(seat, move.lay, move.faceDown ? HIDDEN : card);
      case "accept":
        return this.#accept();
      case "run":
        return this.#end(1 - team(seat), this.value, "run");
      case "fold":
        return this.#end(other, this.value, "fold");
      case "refuse":
        return this.#end(other, base, "refused");
      case "play":
        this.deciding = false;
        this.value = calls[0].points;
        return undefined;
      default: { // call
        const call = this.callOf(team(seat));
        if (this.kind === "special") {
          return this.#end(other, this.variant.target - this.scoreBefore[other], "forfeit");
        }
        if (this.pending) this.#accept();
        this.pending = { call, by: seat };
        this.lastCaller = seat;
        return undefined;
      }
    }
  }

  /** Give the hand to `side` for what it is worth: a seat of the others left, or made an illegal move. */
  give(side, how) {
    this.#end(side, this.value, how);
  }

  #accept() {
    this.accepted = this.pending.call;
    this.value = this.variant.scale.calls[this.accepted].points;
    this.pending = null;
  }

  #end(winner, points, how) {
    this.pending = null;
    this.result = { winner, points, how };
  }

  #lay(seat, position, card) {
    this.laid[seat][position] = true;
    this.table.push([seat, card]);
    if (this.table.length < this.players) return;
    const strengths = this.table.map(([, laid]) => this.strength(laid));
    const most = Math.max(...strengths);
    const strongest = this.table.filter((_, i) => strengths[i] === most).map(([owner]) => owner);
    const sides = new Set(strongest.map(team));
    const ties = sides.size === 2 || (strongest.length > 1 && this.variant.partners_tie === "tie");
    this.tricks.push({ cards: this.table, winner: ties ? null : team(strongest[0]), lead: strongest[0] });
    this.leader = strongest[0];
    this.table = [];
    this.#decide();
  }

  #decide() {
    const winners = this.tricks.map(({ winner }) => winner);
    const won = winners.filter((winner) => winner !== null);
    const two = [0, 1].find((side) => won.filter((winner) => winner === side).length === 2);
    if (two !== undefined) return this.#end(two, this.value, "tricks");
    if (won.length > 0 && won.length < winners.length) return this.#end(won[0], this.value, "tricks");
    if (winners.length < 3) return undefined;
    const { all_tied: rule } = this.variant;
    if (rule === "nobody") return this.#end(null, 0, "tie");
    return this.#end(team(rule === "dealer" ? this.dealer : this.dealer + 1), this.value, "tricks");
  }

  /** 0 for a hidden card, then common cards by rank, then manilhas. */
  strength(card) {
    if (card === HIDDEN) return 0;
    const { ranks, manilhas } = this.variant;
    const place = ranks.indexOf(card[0]);
    if (manilhas === "vira") {
      const rank = ranks[(ranks.indexOf(this.vira[0]) + 1) % ranks.length];
      return card[0] === rank ? 1 + ranks.length + "dshc".indexOf(card[1]) : 1 + place;
    }
    const strong = manilhas.indexOf(card);
    return strong < 0 ? 1 + place : ranks.length + manilhas.length - strong;
  }

  /** The score after the hand, and the team that has won the match with it. */
  get after() {
    const { target } = this.variant;
    const score = [...this.scoreBefore];
    const { winner, points } = this.result ?? { winner: null };
    if (winner !== null) score[winner] = Math.min(target, score[winner] + points);
    const match = winner !== null && score[winner] >= target ? winner : null;
    return { score, match };
  }
}

export { team };
