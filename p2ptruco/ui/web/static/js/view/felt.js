// What lies on the table: the trick, what the hand is worth, manilhas, tricks won, the vira, a shout.

import { h } from "../dom.js";
import { burst, card, cardName, letters, mark, title } from "../draw/draw.js";
import { _ } from "../words.js";
import { spot } from "./seats.js";

/** The cards of the trick on the table, or of the one that has just been finished while it rests. */
export function trick(evening, reach) {
  const { hand, resting } = evening;
  const cards = resting ? resting.cards : hand.table;
  const leading = resting ? resting.winner : hand.takes;
  const best = resting ? resting.cards.filter((one) => one.best).map((one) => one.seat) : strongest(evening);
  return evening.seated.players.map(({ seat }) => {
    const lying = cards.find((one) => one.seat === seat);
    const [x, y] = spot(evening, seat, reach);
    const place = { left: `${100 * x}%`, top: `${100 * y}%` };
    if (!lying) {
      const next = evening.turn?.seats.includes(seat) && evening.turn.what === "move";
      return h("div", { class: `lies empty ${next ? "next" : ""}`, place }, seat === evening.me ? h("span", {}, _("your card")) : null);
    }
    const takes = best.includes(seat) && (leading === "A" || leading === "B");
    const tied = best.includes(seat) && !takes && cards.length > 1;
    const made = card(lying.card, { manilhas: evening.manilhas });
    const at = evening.laid.findLast((one) => one.seat === seat);
    const tilt = ((evening.number * 7 + seat * 13 + (at ? at.slot : 0) * 5) % 9) - 4;
    return h(
      "div",
      { class: `lies ${takes ? `takes ${evening.team(seat)}` : ""} ${tied ? "tied" : ""}`, place: { ...place, "--tilt": `${tilt}deg`, "view-transition-name": at ? `card-${evening.number}-${at.slot}` : "none" } },
      made,
      takes ? h("b", { class: "label" }, mark(evening.team(seat)), _("{name} takes it", { name: name(evening, seat) })) : null,
      tied ? h("b", { class: "label" }, _("tied")) : null,
    );
  });
}

function name(evening, seat) {
  return seat === evening.me ? _("you") : evening.player(seat).player;
}

/** The seats whose card is the strongest so far, by the ranking of the hand. */
function strongest(evening) {
  const open = evening.hand.table.filter((one) => one.card);
  const rank = (one) => evening.ranking.findIndex((group) => group.includes(one.card));
  if (!open.length || !evening.ranking.length) return [];
  const best = Math.min(...open.map(rank));
  return open.filter((one) => rank(one) === best).map((one) => one.seat);
}

/** What the hand is worth, in the middle. */
export function worth(evening) {
  const { hand } = evening;
  return h("div", { class: "worth", "aria-label": _("The hand is worth {n}", { n: hand.worth }) }, letters(String(hand.worth), 52, { carved: true }), h("small", {}, _("points on the table")));
}

/** The manilhas, the strongest first, and where each is as far as one can see. */
export function manilhas(evening) {
  if (!evening.manilhas.length) return null;
  const own = new Set(evening.held.map((one) => one.card));
  const lying = new Set((evening.resting ? evening.resting.cards : evening.hand.table).map((one) => one.card));
  const gone = new Set(evening.laid.map((one) => one.card));
  return h(
    "div",
    { class: "manilhas" },
    h("span", { class: "heading" }, _("Manilhas, the strongest first")),
    h(
      "ol",
      {},
      evening.manilhas.map((one) => {
        const where = own.has(one) ? _("yours") : lying.has(one) ? _("on the table") : gone.has(one) ? _("gone") : "";
        const kind = lying.has(one) ? "lying" : gone.has(one) ? "gone" : "";
        return h("li", { class: kind, title: `${cardName(one)}, ${title(one, evening.manilhas)}` }, card(one, { small: true, tag: false }), h("small", {}, where));
      }),
    ),
  );
}

/** The card that names the manilhas. */
export function vira(evening) {
  if (!evening.vira) return null;
  return h("div", { class: "vira" }, h("span", { class: "heading" }, _("Vira")), card(evening.vira, { tag: false }));
}

/** The three tricks of the hand: whose each was. */
export function tricksWon(evening) {
  return h(
    "div",
    { class: "tricks" },
    h("span", { class: "heading" }, _("Tricks")),
    h(
      "ol",
      {},
      [1, 2, 3].map((number) => {
        const done = evening.tricks.find((one) => one.trick === number);
        if (!done) return h("li", {}, `${number}ª`);
        const side = evening.side(done.winner);
        const told = side === "us" ? _("ours") : side === "them" ? _("theirs") : _("tied");
        return h("li", { class: "done", "aria-label": told, title: told }, side ? mark(side, 16) : "=");
      }),
    ),
  );
}

/** A call that waits for its answer, as big as truco. */
export function shout(evening) {
  const pending = evening.hand?.pending;
  if (!pending) return null;
  const by = evening.player(pending.by);
  const raise = _("the hand goes from {from} to {to}", { from: evening.hand.worth, to: pending.points });
  return h(
    "div",
    { class: "shout", role: "alert" },
    burst(),
    h(
      "div",
      { class: "shouted" },
      h("b", { class: "by" }, mark(evening.team(pending.by), 14), pending.by === evening.me ? _("You shout") : _("{name} shouts", { name: by.player })),
      letters(`${pending.word}!`, 84, { carved: true, name: `${pending.word}!` }),
      h("span", {}, raise),
    ),
  );
}

/** How a hand ended. */
export function result(evening) {
  const { over } = evening;
  const side = evening.side(over.winner);
  const [ours, theirs] = evening.pair(over.score);
  const head = side === "us" ? _("We score {n}", { n: over.points }) : side === "them" ? _("They score {n}", { n: over.points }) : _("Nobody scores");
  const how = {
    tricks: _("by tricks"), tie: _("a tie"), run: _("they ran"), fold: _("cards given up"), refused: _("the hand was refused"),
    forfeit: _("a call that was not allowed"), absent: _("a player has left"), illegal: _("an illegal move"),
  }[over.how];
  return h(
    "div",
    { class: `result ${side}`, role: "status" },
    h("b", {}, side ? mark(side, 18) : null, head),
    h("span", { class: "how" }, over.how === "run" && side === "them" ? _("we ran") : how),
    h("span", { class: "score" }, `${ours} × ${theirs}`),
  );
}
