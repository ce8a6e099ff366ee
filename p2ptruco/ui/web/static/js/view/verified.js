// What this program has verified of the deck, in words that a player understands.

import { h } from "../dom.js";
import { card, icon, seal } from "../draw/draw.js";
import { _, ngettext } from "../words.js";

/** The panel; `shut` closes it. */
export function verified(evening, shut) {
  const { deck } = evening;
  const who = (seats) => evening.seated.players.map((player) => h("li", { class: seats.includes(player.seat) ? "done" : "" }, icon(seats.includes(player.seat) ? "check" : "more", 16), player.seat === evening.me ? _("you") : player.player));
  const step = (head, text, seats) => h("section", {}, h("h3", {}, head), h("p", {}, text), h("ul", {}, who(seats)));
  const own = deck.sights.filter((one) => one.by.length === 1 && one.by[0] === evening.me).length;
  const open = deck.sights.filter((one) => one.by.length === evening.seats).length;
  const hidden = deck.sights.length - own - open;
  const { held } = deck;
  return h(
    "div",
    { class: "sheet-over verified", role: "dialog", "aria-modal": "false", "aria-label": _("What was verified") },
    h("header", {}, seal(34), h("h2", {}, _("Hand {n}: what was verified here", { n: deck.number })), h("button", { class: "tool", "data-key": "shut", "aria-label": _("Close"), onclick: shut }, icon("close"))),
    h(
      "div",
      { class: "steps" },
      step(_("Shuffled"), _("Each player shuffled the whole deck after the one before. One honest shuffle is enough: then nobody knows where a card is."), deck.shuffled),
      step(_("Proved"), _("Each shuffle came with a proof that no card was added, lost or changed. Your program checked them all."), deck.proved),
      step(_("Agreed"), _("Everybody said that they checked the same deck, before any card was opened."), deck.ready),
    ),
    h(
      "div",
      { class: "forty", role: "img", "aria-label": _("Where the {n} cards are", { n: deck.cards }) },
      pile(open, _("everybody sees"), "4c"),
      pile(own, _("only you see"), null),
      pile(hidden, _("others hold"), null),
      pile(deck.stock, _("nobody sees: every player holds a part of the key"), null),
    ),
    h(
      "p",
      {},
      ngettext("{n} signature", "{n} signatures", held.signatures), ", ",
      ngettext("{n} key", "{n} keys", held.keys), ", ",
      ngettext("{n} shuffle", "{n} shuffles", held.shuffles), " ", _("and"), " ",
      ngettext("{n} opened card share held.", "{n} opened card shares held.", held.tokens),
    ),
    h("p", { class: "not" }, h("b", {}, _("What this does not show:")), " ", _("that two players are not the same person, or do not tell each other their cards over the telephone.")),
  );
}

function pile(many, text, face) {
  return h("figure", {}, card(face, { small: true, tag: false }), h("figcaption", {}, h("b", {}, String(many)), " ", text));
}
