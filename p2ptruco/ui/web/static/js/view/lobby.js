// The lobby: who sits where, the ticket, the rules in words, who is linked to whom.

import { h } from "../dom.js";
import { avatar, icon, letters, tableTop } from "../draw/draw.js";
import { _, ngettext } from "../words.js";

/** The rules of a table in words: those that differ from mineiro first. */
export function rules(variant, words) {
  const differs = Object.keys(variant.differs);
  const order = [...differs, ...Object.keys(words).filter((one) => !differs.includes(one))];
  return h(
    "section",
    { class: "panel rules" },
    h("h2", {}, _("The rules of this table"), " ", h("b", { class: "gold" }, differs.length ? variant.name : _("{name}, unchanged", { name: variant.name }))),
    h("ul", {}, order.map((one) => h("li", { class: differs.includes(one) ? "differs" : "" }, words[one]))),
  );
}

function spot(at, many) {
  const angle = (2 * Math.PI * at) / many;
  return { left: `${50 + 42 * Math.sin(angle)}%`, top: `${50 + 40 * Math.cos(angle)}%` };
}

/** A chair of the lobby as a plate; a free one can be sat on. */
function chair(lobby, seat, own, { send, bots }) {
  const taken = lobby.chairs[seat - 1];
  const many = lobby.chairs.length;
  const team = (seat - own) % 2 === 0 ? "us" : "them";
  const place = spot((seat - own + many) % many, many);
  if (!taken) {
    const picks = h("select", { "aria-label": _("Bot for seat {n}", { n: seat }) }, bots.map((one) => h("option", { value: one.name }, one.name)));
    return h(
      "div",
      { class: `seat free ${team}`, place },
      h("span", { class: "who" }, h("b", { class: "name" }, _("Seat {n}, free", { n: seat }))),
      h("button", { class: "button small", "data-key": `sit${seat}`, onclick: () => send(lobby.hosting ? { command: "swap", one: own, other: seat } : { command: "sit", seat }) }, icon("chair", 16), _("Sit here")),
      lobby.hosting && bots.length ? h("span", { class: "bot" }, picks, h("button", { class: "button small", "data-key": `bot${seat}`, onclick: () => send({ command: "add_bot", bot: picks.value, seat }) }, icon("bot", 16), _("Add"))) : null,
    );
  }
  const notes = [
    taken.bot ? _("bot") : null,
    taken.held ? _("seat held") : taken.ready ? _("ready") : _("not ready"),
    taken.linked ? null : _("no link"),
    taken.meeting === "other_key" ? _("another key than before") : taken.meeting === "renamed" ? _("had another name") : taken.meeting === "new" ? _("new to you") : null,
  ].filter(Boolean);
  return h(
    "div",
    { class: `seat ${team} ${taken.linked || taken.me ? "" : "missing"} ${taken.meeting === "other_key" ? "warn" : ""}`, place, title: taken.fingerprint },
    avatar(taken.player, team, { size: 46 }),
    h("span", { class: "who" }, h("b", { class: "name" }, taken.me ? _("{name} (you)", { name: taken.player }) : taken.player), h("span", { class: "status" }, notes.join(" · "))),
    taken.ready ? icon("check", 18) : null,
    lobby.hosting && !taken.me
      ? h("button", { class: "tool", "data-key": `kick${seat}`, title: taken.bot ? _("Take this bot away") : _("Turn away"), "aria-label": taken.bot ? _("Take {name} away", { name: taken.player }) : _("Turn {name} away", { name: taken.player }), onclick: () => send(taken.bot && taken.operator === own ? { command: "remove_bot", seat } : { command: "kick", seat }) }, icon("close", 14))
      : null,
  );
}

function ticket(invitation, copied) {
  return h(
    "section",
    { class: "panel ticket" },
    h("h2", {}, _("Ticket for whoever comes")),
    h("div", { class: "two" }, h("img", { src: `/qr.svg?${encodeURIComponent(invitation.ticket.slice(-8))}`, alt: _("The ticket as a QR code"), width: 168, height: 168 }),
      h("div", {},
        h("output", { class: "code" }, invitation.ticket),
        h("button", { class: "button first", "data-key": "copy", onclick: copied }, icon("copy"), h("b", {}, _("Copy the ticket"))),
        h("small", {}, invitation.reach === "machine" ? _("It works on this machine only: there is no network.") : _("Good until the match begins. Whoever has it can sit down: send it only to those whom you invite.")))),
  );
}

/** What keeps a lobby from beginning, in a sentence. */
function waitingFor(lobby) {
  const free = lobby.chairs.map((one, at) => (one ? null : at + 1)).filter(Boolean);
  const slow = lobby.chairs.filter((one) => one && !one.ready).map((one) => one.player);
  if (lobby.started) return _("Everybody signs the rules and the seats shown ...");
  if (free.length) return ngettext("{n} seat is free.", "{n} seats are free.", free.length);
  if (slow.length) return _("Not ready yet: {names}.", { names: slow.join(", ") });
  return lobby.hosting ? _("Everybody is ready.") : _("Everybody is ready. The host may begin.");
}

/** The whole room. */
export function room(evening, { send, bots, copied, talk }) {
  const { lobby, invitation } = evening;
  const own = (lobby.chairs.find((one) => one?.me) ?? { seat: 1 }).seat;
  const me = lobby.chairs[own - 1];
  const seats = lobby.chairs.map((_chair, at) => chair(lobby, at + 1, own, { send, bots }));
  const begin = lobby.hosting
    ? h("button", { class: "button first big", "data-key": "start", "aria-disabled": String(!lobby.ready), onclick: () => send({ command: "start" }) }, letters(_("Start"), 26, { name: _("Start") }))
    : h("button", { class: "button first big", "data-key": "ready", "aria-pressed": String(me?.ready ?? false), onclick: () => send({ command: "ready", ready: !me?.ready }) }, letters(me?.ready ? _("Wait") : _("Ready"), 26, { name: me?.ready ? _("Wait") : _("Ready") }));
  return h(
    "div",
    { class: "room" },
    h(
      "section",
      { class: "panel around" },
      h("h1", {}, letters(lobby.hosting ? _("Your table") : _("The table"), 34, { name: lobby.hosting ? _("Your table") : _("The table") })),
      h("div", { class: `circle of${lobby.chairs.length}` }, tableTop(560, 300), seats),
      h("p", { class: "clock" }, lobby.move_seconds ? ngettext("{n} second for a move", "{n} seconds for a move", lobby.move_seconds) : _("No clock")),
      links(evening),
    ),
    h("div", { class: "beside" }, invitation && lobby.hosting ? ticket(invitation, copied) : null, rules(lobby.variant, lobby.words), talk),
    h("footer", { class: "panel begin" }, h("p", {}, waitingFor(lobby)), lobby.hosting ? h("button", { class: "button", "data-key": "lock", "aria-pressed": String(lobby.locked), onclick: () => send({ command: "lock", locked: !lobby.locked }) }, icon("lock"), lobby.locked ? _("Open the table") : _("Lock the table")) : null, begin),
  );
}

function links(evening) {
  const chairs = evening.lobby.chairs.filter(Boolean);
  const lost = chairs.filter((one) => !one.me && !one.linked);
  if (!lost.length) return null;
  return h("p", { class: "warn" }, _("Not linked to you: {names}.", { names: lost.map((one) => one.player).join(", ") }));
}
