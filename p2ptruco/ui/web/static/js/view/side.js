// The column beside the table: the score, what the next call makes of the hand, talk, cards gone by.

import { h } from "../dom.js";
import { card, cardName, icon, letters, mark, seal, seeds } from "../draw/draw.js";
import { isMuted, mute } from "../settings.js";
import { _, ngettext } from "../words.js";

export function teamNames(evening, team) {
  return evening.seated.players.filter((one) => evening.team(one.seat) === team).map((one) => one.player).join(", ");
}

/** Both scores, and the ladder of what a hand may be worth. */
export function score(evening) {
  const { variant } = evening.seated;
  const [ours, theirs] = evening.pair(evening.over ? evening.over.score : (evening.hand?.score ?? [0, 0]));
  const rows = [
    ["us", _("We"), ours],
    ["them", _("They"), theirs],
  ];
  return h(
    "section",
    { class: "panel score", "aria-label": _("Score") },
    rows.map(([team, title, points]) =>
      h(
        "div",
        { class: "row", role: "group", "aria-label": `${title}: ${points}` },
        h("div", {}, h("span", { class: "names" }, mark(team, 15), h("b", {}, title), h("i", {}, teamNames(evening, team))), seeds(points, variant.target)),
        letters(String(points), 42, { kind: team, carved: true }),
      ),
    ),
    ladder(evening),
  );
}

function ladder(evening) {
  const { hand, seated } = evening;
  if (!hand) return null;
  const steps = [{ word: "", points: seated.variant.base }, ...seated.variant.calls];
  const now = hand.pending ? hand.pending.points : hand.worth;
  return h(
    "ol",
    { class: "ladder", "aria-label": _("What the hand is worth") },
    steps.map(({ word, points }) => {
      const kind = points === hand.worth ? "now" : points === now || points === hand.next_call?.points ? "next" : "";
      return h("li", { class: kind, "aria-current": kind === "now" ? "true" : null }, h("b", {}, String(points)), kind === "now" ? _("now") : word);
    }),
  );
}

/** The lines of what happened, hand by hand. */
export function lines(evening, all = false) {
  const shown = evening.log.filter((one) => !(one.player && isMuted(one.player) && (one.kind === "talk" || one.kind === "wink")));
  return (all ? shown : shown.slice(-60)).map((one) => line(evening, one)).filter(Boolean);
}

const name = (evening, seat) => (seat === evening.me ? _("you") : (evening.player(seat)?.player ?? ""));

function line(evening, one) {
  const bold = (text) => h("b", {}, text);
  const said = (...parts) => h("p", {}, parts);
  switch (one.kind) {
    case "hand":
      return h("p", { class: "heading" }, _("Hand {n}, dealt by {name}", { n: one.number, name: name(evening, one.dealer) }));
    case "talk":
    case "wink":
      return talked(evening, one);
    case "card":
      return said(bold(name(evening, one.seat)), " ", one.card ? h("span", { class: "mini" }, card(one.card, { small: true, manilhas: evening.number === one.number ? evening.manilhas : [] })) : _("a card face down"));
    case "call":
      return said(bold(name(evening, one.seat)), " ", h("strong", {}, `${one.word.toLocaleUpperCase()}!`), ` ${one.points}`);
    case "answer":
      return said(bold(name(evening, one.seat)), " ", { accept: _("accepts"), run: _("runs"), play: _("plays the hand"), refuse: _("refuses the hand"), fold: _("gives up the hand") }[one.word] ?? one.word);
    case "trick": {
      const side = evening.side(one.winner);
      return said(_("Trick {n}:", { n: one.trick }), " ", bold(side === "us" ? _("ours") : side === "them" ? _("theirs") : _("tied")));
    }
    case "over": {
      const [ours, theirs] = evening.pair(one.score);
      const side = evening.side(one.winner);
      const text = side === "us" ? _("We score {n}", { n: one.points }) : side === "them" ? _("They score {n}", { n: one.points }) : _("Nobody scores");
      return said(text, ": ", bold(`${ours} × ${theirs}`));
    }
    case "time_up":
      return said(_("Time was up: a move was made for you"));
    case "violation":
      return said(bold(name(evening, one.seat)), " ", _("broke the protocol: {word}", { word: one.word }));
    default:
      return null;
  }
}

function talked(evening, one) {
  const own = one.seat === evening.me;
  const text = one.sinal ? _("a sign: {what}", { what: sinalName(one.sinal) }) : one.text;
  return h(
    "p",
    { class: `said ${one.kind}` },
    one.kind === "wink" ? icon("wink", 16) : null,
    h("b", {}, own ? _("you") : one.player, ":"),
    " ",
    text,
    own ? null : h("button", { class: "mute", title: _("Mute {name}", { name: one.player }), "aria-label": _("Mute {name}", { name: one.player }), onclick: () => mute(one.player) }, icon("sound", 13)),
  );
}

/** A sinal in words. */
export function sinalName(word) {
  return { zap: _("zap"), copas: _("seven of hearts"), espadilha: _("espadilha"), "pica-fumo": _("pica-fumo"), tres: _("a three"), dois: _("a two"), nada: _("nothing"), truco: _("enough for truco") }[word] ?? word;
}

/** The cards gone by, strongest first; what is gone is dim and says who played it. */
export function gone(evening) {
  const played = new Map(evening.laid.filter((one) => one.card).map((one) => [one.card, one.seat]));
  const covered = evening.laid.filter((one) => !one.card).length;
  if (!evening.ranking.length) return h("p", { class: "empty" }, _("No cards yet."));
  return h(
    "div",
    { class: "gone-by" },
    evening.ranking.map((group) =>
      h(
        "div",
        { class: "rank" },
        group.map((one) =>
          h("span", { class: played.has(one) ? "out" : "", title: played.has(one) ? `${cardName(one)}: ${name(evening, played.get(one))}` : cardName(one) }, card(one, { small: true, manilhas: evening.manilhas }), h("small", {}, played.has(one) ? name(evening, played.get(one)) : "")),
        ),
      ),
    ),
    covered ? h("p", {}, ngettext("{n} card lies face down", "{n} cards lie face down", covered)) : null,
  );
}

/** What was verified, in a sentence or two. */
export function proof(evening, open) {
  const { deck } = evening;
  if (!deck) return null;
  const many = evening.seats;
  const done = deck.ready.length === many;
  const lines = done
    ? [_("{n} shuffled, {m} proved it.", { n: deck.shuffled.length, m: deck.proved.length }), ngettext("{n} card nobody can see.", "{n} cards nobody can see.", deck.stock)]
    : [_("{n} of {all} have shuffled.", { n: deck.shuffled.length, all: many })];
  return h("button", { class: `panel proof ${done ? "" : "under"}`, "data-key": "proof", onclick: open }, seal(24), h("span", {}, h("b", {}, done ? _("Nobody saw the deck") : _("The deck is being shuffled")), lines.map((one) => h("small", {}, one))));
}
