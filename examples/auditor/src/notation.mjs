// The notation (rules.md §8) and its referee (§9).

import { HIDDEN, Hand, Illegal, team } from "./hand.mjs";
import { PRESETS, TOGGLES, cardOf, isNumber, lower, presetOf } from "./variant.mjs";

const MOVES = ["accept", "run", "play", "refuse", "fold", "timeout"];
const CALL = /^[a-zß-öø-ÿ]{2,16}$/;
const UNKNOWN = "?";

class Wrong extends Error {
  constructor(code, line, message) {
    super(message);
    Object.assign(this, { code, line });
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The referee's answer to a file: the object of rules.md §9. */
export function judge(bytes) {
  const faults = []; // of the file
  let text = "";
  try {
    text = utf8.decode(bytes).replace(/^\ufeff/, "");
  } catch {
    faults.push(new Wrong("syntax", null, "the file is not UTF-8"));
  }
  const file = faults.length ? null : read(text, faults);
  const order = ["syntax", "bad_header", "bad_deal"];
  faults.sort((a, b) => order.indexOf(a.code) - order.indexOf(b.code) || (a.line ?? Infinity) - (b.line ?? Infinity));
  if (faults.length) return answerOfFault(faults[0]);
  return play(file);
}

function answerOfFault({ code, line, message }) {
  const keys = ["variant", "players", "dealer", "kind", "tricks", "table", "value", "pending", "to_act", "legal",
    "result", "score", "match"];
  return {
    ...Object.fromEntries(keys.map((key) => [key, null])), illegal: { line, move: null, code, message },
  };
}

// A file: its lines, one after the other, then what they say together

function read(text, faults) {
  const file = { lines: {}, hands: [], moves: [] };
  const fault = (code, line, message) => faults.push(new Wrong(code, line, message));
  text.split("\n").forEach((whole, i) => {
    const line = i + 1;
    const words = whole.replace(/\r$/, "").replace(/#.*$/s, "").split(/[ \t]+/).filter((word) => word !== "");
    if (words.length === 0) return;
    const [first, ...rest] = words;
    const name = lower(first);
    if (["variant", "players", "score", "dealer", "vira", "hand"].includes(name)) {
      if (file.moves.length) return fault("syntax", line, "a header line after a move");
      if (name === "hand") file.hands.push({ line, words: rest });
      else if (file.lines[name]) fault("bad_header", line, `${name} twice`);
      else file.lines[name] = { line, words: rest };
      return undefined;
    }
    const seat = first.match(/^([0-9]+):$/)?.[1];
    if (seat === undefined || !isNumber(seat) || rest.length === 0) return fault("syntax", line, "not a line of the notation");
    file.moves.push({ line, seat: +seat, words: rest });
    return undefined;
  });
  understand(file, fault);
  return file;
}

function understand(file, fault) {
  const { lines } = file;
  const shapes = { variant: (n) => n >= 1, players: (n) => n === 1, score: (n) => n === 2, dealer: (n) => n === 1, vira: (n) => n === 1 };
  for (const [name, { line, words }] of Object.entries(lines)) {
    if (!shapes[name](words.length)) fault("syntax", line, `not a ${name} line`);
  }
  const word = (name, i = 0) => lines[name]?.words[i];
  const number = (name, i = 0) => {
    const text = word(name, i);
    if (text === undefined || isNumber(text)) return text === undefined ? undefined : +text;
    fault("syntax", lines[name].line, "not a number");
    return NaN;
  };

  const variant = lines.variant ? variantOfLine(lines.variant, fault) : presetOf("mineiro");
  const players = number("players") ?? 2;
  const sizeKnown = [2, 4, 6, 8].includes(players);
  if (lines.players && !Number.isNaN(players) && !(variant ? variant.players.includes(players) : sizeKnown)) {
    fault("bad_header", lines.players.line, "a size that the variant does not allow");
  }
  if (!lines.players && variant && !variant.players.includes(2)) fault("bad_header", null, "no players line");
  const seats = sizeKnown ? players : 8;
  const seatOf = (value, line) => {
    if (!(value >= 1 && value <= seats)) fault("syntax", line, "a seat that is not at the table");
    return value - 1;
  };

  const score = lines.score ? [number("score"), number("score", 1)] : [0, 0];
  if (variant && score.some((points) => points >= variant.target)) fault("bad_header", lines.score.line, "a score at the target");
  const dealer = lines.dealer ? number("dealer") : seats;
  if (lines.dealer && !Number.isNaN(dealer)) seatOf(dealer, lines.dealer.line);
  let vira = null;
  if (lines.vira) {
    vira = cardOf(word("vira") ?? "");
    if (vira === null) fault("syntax", lines.vira.line, "not a card");
    if (variant && !variant.vira) fault("bad_header", lines.vira.line, "a variant without a vira");
  } else if (variant?.vira) fault("bad_header", null, "no vira");

  const hands = Array(seats).fill(null);
  const seen = new Set(vira ? [vira] : []);
  if (vira && variant && !variant.deck.includes(vira)) fault("bad_deal", lines.vira.line, "a card that is not in the deck");
  for (const { line, words } of file.hands) {
    const seat = words[0]?.match(/^([0-9]+):$/)?.[1];
    const cards = words.slice(1).map((text) => (text === UNKNOWN ? UNKNOWN : cardOf(text)));
    if (seat === undefined || !isNumber(seat) || cards.includes(null)) {
      fault("syntax", line, "not a hand line");
      continue;
    }
    const at = seatOf(+seat, line);
    if (cards.length !== 3) fault("bad_deal", line, "a hand that is not of three");
    if (hands[at]) fault("bad_deal", line, "a hand twice");
    for (const card of cards.filter((each) => each !== UNKNOWN)) {
      if (seen.has(card)) fault("bad_deal", line, "a card twice");
      if (variant && !variant.deck.includes(card)) fault("bad_deal", line, "a card that is not in the deck");
      seen.add(card);
    }
    hands[at] ??= cards;
  }
  if (hands.includes(null)) fault("bad_deal", null, "a hand is missing");

  for (const move of file.moves) {
    seatOf(move.seat, move.line);
    move.move = moveOf(move.words, variant);
    if (move.move === null) fault("syntax", move.line, "not a move");
  }
  Object.assign(file, { variant, players, score, dealer: dealer - 1, vira, hands });
}

function variantOfLine({ line, words }, fault) {
  const [name, ...changes] = words.map(lower);
  if (name === undefined) return null;
  const toggles = {};
  for (const change of changes) {
    const [toggle, value] = change.split(/=(.*)/s);
    if (value === undefined) fault("syntax", line, "not a variant line");
    else if (!Object.hasOwn(TOGGLES, toggle) || Object.hasOwn(toggles, toggle)) fault("bad_header", line, "an unknown toggle");
    else toggles[toggle] = value;
  }
  const variant = Object.hasOwn(PRESETS, name) ? presetOf(name, toggles) : null;
  if (variant === null) fault("bad_header", line, "an unknown or impossible variant");
  return variant;
}

/** { open } or { down } with a card, "?" or null; or { word }; null if the words are no move. */
function moveOf(words, variant) {
  const [first, second, ...more] = words;
  const card = (text) => (text === UNKNOWN ? UNKNOWN : cardOf(text));
  if (more.length) return null;
  if (lower(first) === HIDDEN) {
    const named = second === undefined ? UNKNOWN : card(second);
    return named === null ? null : { down: named };
  }
  if (second !== undefined) return null;
  if (cardOf(first) !== null) return { open: cardOf(first) };
  const word = lower(first);
  if (MOVES.includes(word)) return { word };
  if (!CALL.test(word)) return null;
  if (variant === null) return { word: "call", call: -1 };
  const call = variant.scale.calls.findIndex((each) => each.word === word);
  return call < 0 ? null : { word: "call", call };
}

// The moves

function play(file) {
  const { variant, players, dealer, score, vira } = file;
  const hands = file.hands.map((cards) => [...cards]);
  const hand = new Hand({ variant, players, dealer, score, vira });
  const shown = new Set([...hands.flat().filter((card) => card !== UNKNOWN), ...(vira ? [vira] : [])]);
  let illegal = null;
  for (const [i, { line, seat, move }] of file.moves.entries()) {
    try {
      make(hand, hands, shown, seat - 1, move);
    } catch (fault) {
      if (!(fault instanceof Illegal)) throw fault;
      illegal = { line, move: i + 1, code: fault.code, message: fault.message };
      break;
    }
  }
  return answer(file, hand, hands, illegal);
}

function make(hand, hands, shown, seat, move) {
  if (move.word === "timeout") return timeUp(hand, hands, shown, seat);
  if (move.word) {
    hand.check(seat, move);
    return hand.do(seat, move);
  }
  const faceDown = move.down !== undefined;
  const card = faceDown ? move.down : move.open;
  const cards = hands[seat] ?? [];
  const free = (named) => cards.findIndex((each, i) => each === named && !hand.laid[seat][i]);
  let at = free(card);
  let becomes = false;
  if (at < 0 && card !== UNKNOWN && !shown.has(card) && hand.variant.deck.includes(card)) {
    at = free(UNKNOWN);
    becomes = at >= 0;
  }
  hand.check(seat, { lay: at < 0 ? null : at, faceDown });
  if (becomes) {
    cards[at] = card;
    shown.add(card);
  }
  return hand.do(seat, { lay: at, faceDown }, card);
}

function timeUp(hand, hands, shown, seat) {
  hand.check(seat, { word: "timeout" });
  const { kind } = hand.question;
  if (kind === "decision") return hand.do(seat, { word: "play" });
  if (kind === "answer") return hand.do(seat, { word: "run" });
  const left = [0, 1, 2].filter((i) => !hand.laid[seat][i]);
  const unknown = left.filter((i) => hands[seat][i] === UNKNOWN);
  if (hand.blind ? unknown.includes(left[0]) : unknown.length) {
    throw new Illegal("unknown_card", "a card that must be seen is unknown");
  }
  const strength = (i) => hand.strength(hands[seat][i]);
  const lay = hand.blind ? left[0] : left.reduce((weakest, i) => (strength(i) < strength(weakest) ? i : weakest));
  return hand.do(seat, { lay, faceDown: false }, hands[seat][lay]);
}

function legal(hand, hands) {
  const { question } = hand;
  if (!question) return [];
  const [seat] = question.seats;
  const call = hand.callOf(team(seat));
  const words = call === null ? [] : [hand.variant.scale.calls[call].word];
  if (question.kind === "decision") words.splice(0, words.length, "play", "refuse");
  if (question.kind === "answer") words.push("accept", "run");
  if (question.kind === "turn") {
    const cards = new Set(hands[seat].filter((_, i) => !hand.laid[seat][i]));
    words.push(...cards);
    if (hand.mayLayFaceDown) words.push(...[...cards].map((card) => `x ${card}`));
    if (hand.mayFold) words.push("fold");
  }
  return words.sort((a, b) => (a < b ? -1 : 1));
}

function answer({ variant, players, dealer }, hand, hands, illegal) {
  const side = (value) => (value === null ? null : "AB"[value]);
  const shown = (cards) => cards.map(([seat, card]) => [seat + 1, card]);
  const { pending, result, after, question } = hand;
  const calls = variant.scale.calls;
  return {
    variant: variant.name, players, dealer: dealer + 1, kind: hand.kind,
    tricks: hand.tricks.map(({ cards, winner, lead }) => ({ cards: shown(cards), winner: side(winner), lead: lead + 1 })),
    table: shown(hand.table), value: hand.value,
    pending: pending && { call: calls[pending.call].word, by: pending.by + 1, points: calls[pending.call].points },
    to_act: question ? question.seats.map((seat) => seat + 1) : [],
    legal: legal(hand, hands),
    result: result && { ...result, winner: side(result.winner) },
    score: { A: after.score[0], B: after.score[1] }, match: side(after.match), illegal,
  };
}
