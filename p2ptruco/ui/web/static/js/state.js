// One evening as the page knows it: what the events said, and nothing that they did not.
//
// `Evening.hear` takes one object of front.md and says which parts of the page it touches.

const CHATTER = 400;

export class Evening {
  constructor() {
    this.front = null;
    this.wipe();
  }

  /** Nothing is known: before a snapshot. */
  wipe() {
    Object.assign(this, {
      place: "",
      lobby: null,
      invitation: null,
      seated: null,
      links: [],
      deck: null,
      course: [],
      turn: null,
      turned: 0,
      standing: null,
      stood: 0,
      log: [],
      asked: new Map(),
      ended: null,
      sealed: null,
      record: null,
      stopped: null,
      notice: null,
      seals: null,
      leaving: null,
      error: null,
    });
    this.newHand(0);
  }

  newHand(number) {
    Object.assign(this, {
      number,
      hand: null,
      cards: [],
      partners: [],
      laid: [],
      tricks: [],
      vira: null,
      manilhas: [],
      ranking: [],
      over: null,
      shout: null,
      ahead: null,
      resting: null,
    });
  }

  /** The question of a name that is open. */
  question(name) {
    return [...this.asked.values()].find((one) => one.question === name) || null;
  }

  get me() {
    return this.seated ? this.seated.seat : 1;
  }

  get seats() {
    return this.seated ? this.seated.players.length : 0;
  }

  player(seat) {
    return this.seated?.players.find((one) => one.seat === seat) || null;
  }

  team(seat) {
    return (seat - this.me) % 2 === 0 ? "us" : "them";
  }

  /** Ours and theirs of what the table counts as [A, B]. */
  pair(both) {
    const own = (this.me - 1) % 2;
    return both ? [both[own], both[1 - own]] : [0, 0];
  }

  /** "us", "them" or "" of a team's letter. */
  side(letter) {
    if (letter !== "A" && letter !== "B") return "";
    return (letter === "A") === ((this.me - 1) % 2 === 0) ? "us" : "them";
  }

  /** Our cards that are not laid yet. */
  get held() {
    const question = this.question("move");
    if (question && !question.advice) return question.view.cards;
    const gone = new Set(this.laid.map((one) => one.slot));
    return this.cards.filter((one) => !gone.has(one.slot));
  }

  /** How many cards a seat still holds. */
  holds(seat) {
    if (!this.hand) return 0;
    return 3 - this.laid.filter((one) => one.seat === seat).length;
  }

  /** Take one object. */
  hear(object) {
    if ("front" in object) this.front = object;
    else if ("snapshot" in object) {
      this.wipe();
      object.snapshot.events.forEach((one) => this.event(one));
      object.snapshot.questions.forEach((one) => this.ask(one));
      this.shout = this.hand?.pending ? this.shout : null;
    } else if ("question" in object) this.ask(object);
    else if ("event" in object) this.event(object);
    else if ("error" in object) this.error = object.error;
  }

  ask(question) {
    question.since = performance.now();
    this.asked.set(question.id, question);
  }

  say(entry) {
    this.log.push({ ...entry, number: this.number });
    if (this.log.length > CHATTER) this.log.splice(0, this.log.length - CHATTER);
  }

  event(event) {
    const known = this[`on_${event.event}`];
    if ("hand" in event && event.event !== "violation") this.hand = event.hand;
    if (known) known.call(this, event);
  }

  on_scene({ place }) {
    this.place = place;
    if (place === "seating" || place === "lobby") {
      Object.assign(this, { ended: null, sealed: null, record: null, course: [], log: [] });
      this.newHand(0);
    }
  }

  on_lobby(event) {
    this.lobby = event;
  }

  on_invitation(event) {
    this.invitation = event;
  }

  on_notice(event) {
    this.notice = event;
  }

  on_talk(event) {
    this.say({ kind: "talk", ...event });
  }

  on_wink(event) {
    this.say({ kind: "wink", ...event });
  }

  on_seated(event) {
    this.seated = event;
    this.newHand(0);
  }

  on_links(event) {
    this.links = event.links;
  }

  on_hand_begun(event) {
    this.newHand(event.number);
    this.hand = event.hand;
    this.say({ kind: "hand", dealer: event.hand.dealer });
  }

  on_vira(event) {
    this.vira = event.card;
    this.manilhas = event.manilhas;
  }

  on_ranking(event) {
    this.ranking = event.groups;
    this.manilhas = event.manilhas;
  }

  on_cards(event) {
    this.cards = event.cards;
  }

  on_partner_cards(event) {
    const others = this.partners.filter((one) => one.seat !== event.seat);
    this.partners = [...others, { seat: event.seat, cards: event.cards }];
  }

  on_card(event) {
    this.resting = null;
    this.over = null;
    this.laid.push({ seat: event.seat, slot: event.slot, card: event.card, trick: event.trick });
    this.say({ kind: "card", ...event });
  }

  on_call(event) {
    this.shout = { ...event, at: performance.now() };
    this.say({ kind: "call", ...event });
  }

  on_answer(event) {
    this.shout = null;
    this.say({ kind: "answer", ...event });
  }

  on_trick(event) {
    this.tricks.push(event);
    this.resting = { ...event, at: performance.now() };
    this.say({ kind: "trick", ...event });
  }

  on_hand_over(event) {
    this.over = { ...event, at: performance.now() };
    this.shout = null;
    this.say({ kind: "over", ...event });
  }

  on_course(event) {
    this.course = event.hands;
  }

  on_deck(event) {
    this.deck = event;
  }

  on_turn(event) {
    this.turn = event;
    this.turned = performance.now();
  }

  on_standing(event) {
    this.standing = event.situation;
    this.stood = performance.now();
  }

  on_seals_awaited(event) {
    this.seals = event.seats;
  }

  on_ahead(event) {
    this.ahead = event.why === "chosen" ? event.choice : null;
  }

  on_time_up(event) {
    this.say({ kind: "time_up", ...event });
  }

  on_closed(event) {
    this.asked.delete(event.id);
  }

  on_refused(event) {
    this.notice = event;
  }

  on_leaving(event) {
    this.leaving = event;
  }

  on_left(event) {
    this.notice = event;
  }

  on_violation(event) {
    this.say({ kind: "violation", ...event });
  }

  on_interrupted(event) {
    this.ended = { interrupted: true, ...event };
  }

  on_ended(event) {
    this.ended = event;
  }

  on_sealed(event) {
    this.sealed = event;
  }

  on_record(event) {
    this.record = event;
  }

  on_bot_fault(event) {
    this.notice = event;
  }

  on_bot_failed(event) {
    this.notice = event;
  }

  on_stopped(event) {
    this.stopped = event;
  }
}
