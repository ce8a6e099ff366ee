// Who sits where: plates on the rim of the table, turning counter-clockwise from us.

import { h } from "../dom.js";
import { avatar, card, icon } from "../draw/draw.js";
import { _, ngettext } from "../words.js";

/** Where a seat is on the table, from our own at the bottom: shares of its width and height. */
export function spot(evening, seat, reach = 1) {
  const n = evening.seats;
  const angle = (2 * Math.PI * ((seat - evening.me + n) % n)) / n;
  return [0.5 + 0.5 * reach * Math.sin(angle), 0.5 + 0.5 * reach * Math.cos(angle)];
}

/** How much of the time of a turn is left, or null without a clock. */
export function left(evening) {
  const { turn } = evening;
  if (!turn || turn.seconds_left === null) return null;
  return Math.max(0, turn.seconds_left - (performance.now() - evening.turned) / 1000);
}

export function share(evening) {
  const seconds = left(evening);
  if (seconds === null) return null;
  const whole = evening.seated.move_seconds || seconds || 1;
  return Math.min(1, seconds / whole);
}

/** How long a turn has been waited for. */
export function waited(evening) {
  const { turn } = evening;
  return turn ? turn.seconds_ago + (performance.now() - evening.turned) / 1000 : 0;
}

/** What a plate says of its player, by what is so at this moment. */
export function status(evening, seat) {
  const { hand, turn, standing, ended } = evening;
  const missing = standing?.missing.find((one) => one.seat === seat);
  if (missing) {
    const ago = Math.round(missing.seconds_ago + (performance.now() - evening.stood) / 1000);
    return missing.goodbye ? _("has left") : _("gone for {n} s", { n: ago });
  }
  if (ended || !hand) return "";
  if (hand.pending?.by === seat) return _("asked for {word}", { word: hand.pending.word });
  if (turn?.seats.includes(seat)) {
    const { what } = turn;
    if (what === "deal") return _("shuffles");
    if (what === "token") return _("opens a card");
    if (what === "seal") return _("signs the end");
    if (what === "answer") return _("thinks about the answer");
    if (what === "decision") return _("decides whether to play");
    return _("thinks");
  }
  const best = evening.resting ? evening.resting.cards.find((one) => one.best)?.seat : null;
  if (best === seat) return _("took the trick");
  if (hand.leader === seat && hand.table.length) return _("opened the trick");
  return "";
}

/** The plate of another seat. */
export function plate(evening, seat, { vertical, small }) {
  const player = evening.player(seat);
  const team = evening.team(seat);
  const mine = evening.turn?.seats.includes(seat) && evening.turn.what !== "deal";
  const missing = evening.standing?.missing.some((one) => one.seat === seat);
  const partner = evening.partners.find((one) => one.seat === seat);
  const shown = partner ? partner.cards.filter((one) => one && typeof one === "object" ? one.card : one) : [];
  const backs = evening.hand && !evening.over ? evening.holds(seat) : 0;
  const held = shown.length
    ? shown.map((one) => card(one.card ?? one, { small: true, manilhas: evening.manilhas }))
    : [...Array(backs)].map(() => card(null, { small: true }));
  const said = status(evening, seat);
  return h(
    "section",
    {
      class: `seat ${team} ${vertical ? "vertical" : ""} ${mine ? "asked" : ""} ${missing ? "missing" : ""}`,
      "data-seat": seat,
      "aria-label": _("Seat {seat}, {name}, {team}", { seat, name: player.player, team: team === "us" ? _("ours") : _("theirs") }),
    },
    avatar(player.player, team, { size: small ? 40 : 54, ring: mine ? (share(evening) ?? 1) : null, away: missing }),
    h(
      "div",
      { class: "who" },
      h("b", { class: "name" }, player.player, player.operator ? h("i", { class: "run", title: _("a bot of seat {seat}", { seat: player.operator }) }, icon("bot", 14)) : null),
      evening.hand?.dealer === seat ? h("span", { class: "pe" }, icon("deck", 13), _("pé")) : null,
      said ? h("span", { class: "status" }, said) : null,
    ),
    h("span", { class: `holds ${shown.length ? "open" : ""}`, role: "img", "aria-label": ngettext("{n} card", "{n} cards", backs) }, held),
  );
}
