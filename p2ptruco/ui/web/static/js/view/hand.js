// Our own place: whose turn it is, our cards, what can be done with them.
//
// 1. A click plays a card when it is our turn, and chooses it ahead when it is not.
// 2. Face down: by the button, by Shift, by a long press, or by dragging a card down.
// 3. What loses the match is asked once more, on the same button.

import { h } from "../dom.js";
import { avatar, card, cardName, icon, letters, title } from "../draw/draw.js";
import { _, ngettext } from "../words.js";
import { left, share, waited } from "./seats.js";

const LONG_PRESS = 450;
const DRAGGED = 40;

/** Us: the shape with its ring, whose turn it is, the seconds. */
export function me(evening) {
  const { turn, seated } = evening;
  const player = seated.players[evening.me - 1];
  const mine = Boolean(turn?.mine && turn.what !== "deal" && !evening.ended);
  const seconds = left(evening);
  return h(
    "section",
    { class: `me us ${mine ? "asked" : ""} ${seconds !== null && mine && seconds < 8 ? "short" : ""}`, "aria-label": _("You, {name}", { name: player.player }) },
    avatar(player.player, "us", { size: 92, ring: mine ? (share(evening) ?? 1) : null }),
    h(
      "div",
      {},
      h("b", { class: "turn" }, heading(evening, mine)),
      h("span", { class: "seconds" }, mine && seconds !== null ? _("{n} s", { n: Math.ceil(seconds) }) : ""),
      h("small", {}, hint(evening, mine, seconds)),
      evening.hand?.dealer === evening.me ? h("span", { class: "pe" }, icon("deck", 13), _("you are pé")) : null,
    ),
  );
}

function heading(evening, mine) {
  const { turn, hand } = evening;
  if (!hand || turn?.what === "deal") return _("Shuffling");
  if (evening.question("move")?.advice) return _("Advise your partner");
  if (mine && hand.pending) return _("Your answer");
  if (mine && turn.what === "decision") return _("Play this hand?");
  if (mine) return _("Your turn");
  if (turn?.seats.length) {
    const who = turn.seats.map((seat) => evening.player(seat).player).join(", ");
    return _("{name}'s turn", { name: who });
  }
  return "";
}

function hint(evening, mine, seconds) {
  const { turn, hand } = evening;
  const question = evening.question("move");
  if (mine && question && question.default && seconds !== null) {
    return _("When time is up: {what}", { what: defaultName(evening, question) });
  }
  if (!mine && evening.ahead) return _("A card is chosen: it goes out in your turn");
  if (!mine && turn && hand && turn.what !== "deal" && waited(evening) > 10) {
    return ngettext("for {n} second", "for {n} seconds", Math.round(waited(evening)));
  }
  if (hand?.kind === "iron") return _("Iron hand: nobody sees their cards");
  return "";
}

function defaultName(evening, question) {
  const choice = question.choices.find((one) => one.key === question.default);
  if (!choice) return "";
  if ("play" in choice.move) {
    const at = question.view.cards.find((one) => one.place === choice.move.play);
    return at?.card ? cardName(at.card) : _("a card");
  }
  return verb(choice.move.say, evening);
}

/** What a word is called on a button. */
export function verb(word, evening) {
  const names = { accept: _("Accept"), run: _("Run"), fold: _("Give up the hand"), play: _("Play it"), refuse: _("Refuse") };
  if (word === "call") return `${evening.hand.next_call?.word ?? ""}!`;
  return names[word] ?? word;
}

/** Our cards. `act(key)`, `ahead(place, faceDown)`; `covered`: the next card goes face down. */
export function cards(evening, { act, ahead, covered, doubted }) {
  const question = evening.question("move");
  const keys = new Set(question && !question.advice ? question.choices.map((one) => one.key) : []);
  const held = evening.held;
  return h(
    "div",
    { class: `own ${held.length === 1 ? "single" : ""}`, role: "group", "aria-label": _("Your cards") },
    held.map((one, at) => {
      const up = String(one.place);
      const down = `x${one.place}`;
      const mine = keys.has(up) || keys.has(down);
      const early = !mine && !evening.over && !evening.ended && evening.hand && !evening.hand.pending && evening.turn?.what !== "decision";
      const chosen = evening.ahead && aheadPlace(evening.ahead) === one.place;
      const wanted = (facedown) => (facedown && keys.has(down)) || !keys.has(up) ? down : up;
      const lay = (facedown) => {
        if (mine) act(wanted(facedown));
        else if (early) ahead(chosen ? null : one.place, facedown);
      };
      const sure = doubted === up || doubted === down;
      const middle = (held.length - 1) / 2;
      const called = one.card ? title(one.card, evening.manilhas) : "";
      const name = one.card ? [cardName(one.card), called].filter(Boolean).join(", ") : _("a card that nobody sees");
      return h(
        "button",
        {
          class: `hold ${mine ? "ready" : ""} ${chosen ? "chosen" : ""} ${covered && keys.has(down) ? "covered" : ""} ${sure ? "doubted" : ""}`,
          "data-key": `card${one.place}`,
          "aria-label": [mine ? _("Play {card}", { card: name }) : name, chosen ? _("goes out in your turn") : "", sure ? _("This loses the match. Again?") : ""].filter(Boolean).join(", "),
          "aria-disabled": String(!mine && !early),
          "aria-keyshortcuts": String(at + 1),
          place: { "--lean": `${(at - middle) * 3.5}deg`, "--drop": `${Math.abs(at - middle) * 6}px`, "view-transition-name": `card-${evening.number}-${one.slot}` },
          ...gestures(lay, covered),
        },
        card(one.card, { manilhas: evening.manilhas }),
        h("kbd", { "data-sign": String(at + 1) }),
        chosen ? h("span", { class: "soon" }, _("goes out in your turn")) : null,
        sure ? h("span", { class: "soon sure" }, _("This loses the match. Again?")) : null,
      );
    }),
  );
}

function aheadPlace(choice) {
  const found = String(choice).match(/(\d)/);
  return found ? Number(found[1]) : 0;
}

function gestures(lay, covered) {
  let [timer, from, done] = [0, null, false];
  const stop = () => clearTimeout(timer);
  return {
    onpointerdown(event) {
      [from, done] = [event.clientY, false];
      timer = setTimeout(() => {
        done = true;
        lay(true);
      }, LONG_PRESS);
    },
    onpointermove(event) {
      if (from !== null && !done && event.clientY - from > DRAGGED) {
        stop();
        done = true;
        lay(true);
      }
    },
    onpointerleave: stop,
    onpointercancel: stop,
    onpointerup: stop,
    oncontextmenu: (event) => event.preventDefault(),
    onclick(event) {
      stop();
      from = null;
      if (done) done = false;
      else lay(covered || event.shiftKey);
    },
  };
}

const KEYS = { call: "T", accept: "A", run: "C", fold: "F", play: "J", refuse: "R" };
const ORDER = ["accept", "call", "play", "refuse", "run", "fold"];

/** The words that may be said, beside their prices. */
export function actions(evening, { act, covered, cover, doubted }) {
  const question = evening.question("move");
  if (!question) return h("div", { class: "actions" }, forbidden(evening, null));
  const words = question.choices.filter((one) => "say" in one.move);
  words.sort((a, b) => ORDER.indexOf(a.move.say) - ORDER.indexOf(b.move.say));
  const downs = question.choices.some((one) => one.move.face_down);
  const asked = Boolean(evening.hand.pending) || evening.turn?.what === "decision";
  return h(
    "div",
    { class: `actions ${asked ? "answers" : ""}` },
    question.advice ? h("p", { class: "advice" }, _("Your partner speaks for the team; what you press is shown to them.")) : null,
    words.map((choice) => word(evening, choice, act, doubted === choice.key)),
    downs
      ? h("button", { class: `button cover ${covered ? "on" : ""}`, "data-key": "cover", "aria-pressed": String(covered), onclick: cover, "aria-keyshortcuts": "x" }, icon("back"), h("span", {}, h("b", {}, _("Play face down")), h("small", {}, _("then choose the card"))), h("kbd", { "data-sign": "X" }))
      : asked ? null : forbidden(evening, question),
  );
}

function word(evening, choice, act, doubted) {
  const said = choice.move.say;
  const sure = doubted ? _("This loses the match. Again?") : prices(evening, choice);
  const big = said === "call" || said === "accept" || said === "run" || said === "play" || said === "refuse";
  const look = said === "call" ? "red" : said === "accept" || said === "play" ? "first" : "";
  const label = verb(said, evening);
  return h(
    "button",
    { class: `button ${look} ${doubted ? "doubted" : ""}`, "data-key": choice.key, onclick: () => act(choice.key), "aria-keyshortcuts": KEYS[said] },
    h("span", {}, big ? letters(label, said === "call" ? 30 : 22, { name: label }) : h("b", {}, label), doubted ? h("small", { class: "sure" }, sure) : sure.map((line) => h("small", {}, line))),
    h("kbd", { "data-sign": KEYS[said] }),
  );
}

/** What a choice may bring and cost, as sentences. */
export function prices(evening, choice) {
  const { won, run, lost } = choice.price;
  const told = [];
  const match = (gain, text) => (gain.match ? [text, _("and the match")].join(" ") : text);
  if (won && run) told.push(_("worth {n}", { n: won.points }), match(run, _("if they run: {n} for us", { n: run.points })));
  else if (won && lost && won.points === lost.points) told.push(_("worth {n}", { n: won.points }));
  else if (won) told.push(match(won, _("won: {n} for us", { n: won.points })));
  if (lost && !won) told.push(match(lost, _("they score {n}", { n: lost.points })));
  else if (lost?.match) told.push(_("lost, they win the match"));
  if (won?.match && !run) told.push(_("won, we win the match"));
  return told;
}

function forbidden(evening, question) {
  const barred = question?.barred?.find((one) => one.what === "face_down");
  if (!barred) return null;
  const why = { never: _("not by these rules"), early: _("not in this trick yet"), iron: _("not in the iron hand") }[barred.why] ?? "";
  return h("button", { class: "button", "data-key": "cover", "aria-disabled": "true" }, icon("back"), h("span", {}, h("b", {}, _("Play face down")), h("small", {}, why)));
}
