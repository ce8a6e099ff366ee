// The end of a match: won or lost for us, the course of the score, the record, another one.

import { h } from "../dom.js";
import { course, icon, letters, mark, seal } from "../draw/draw.js";
import { _, ngettext } from "../words.js";
import { teamNames } from "./side.js";

/** `verify(name)` shows a verdict in `verdict`; `another(yes)` answers; `home`: whether there is a start page. */
export function end(evening, { another, verify, verdict, home }) {
  const { ended, record, sealed, seated } = evening;
  const question = evening.question("another");
  const side = ended.interrupted ? "" : evening.side(ended.winner);
  const head = ended.interrupted ? _("Broken off") : side === "us" ? _("Won") : side === "them" ? _("Lost") : _("Nobody won");
  const [ours, theirs] = evening.pair(ended.score ?? evening.hand?.score ?? [0, 0]);
  const went = (ended.went ?? []).map((seat) => evening.player(seat).player);
  const file = record?.path ? record.path.split(/[\\/]/).pop() : null;
  return h(
    "div",
    { class: `end ${side}` },
    h(
      "section",
      { class: "panel verdict" },
      h("h1", {}, letters(`${head}${side === "us" ? "!" : ""}`, 92, { carved: true, name: head })),
      h("p", { class: "final" }, mark("us", 22), h("b", {}, String(ours)), "×", h("b", {}, String(theirs)), mark("them", 22)),
      h("p", {}, `${teamNames(evening, "us")} — ${teamNames(evening, "them")}`),
      seated.variant.toggles.best_of !== "1" && ended.won ? h("p", {}, _("Matches won: {ours} × {theirs}", { ours: evening.pair(ended.won)[0], theirs: evening.pair(ended.won)[1] })) : null,
      ended.interrupted ? h("p", {}, ended.leave_signed ? _("You left; if the others come back, they win.") : _("There is no winner.")) : null,
      went.length ? h("p", {}, _("Left: {names}", { names: went.join(", ") })) : null,
      h("p", { class: "rounds" }, ngettext("{n} hand", "{n} hands", evening.course.length)),
    ),
    h("section", { class: "panel picture" }, h("h2", {}, _("The course of the score")), evening.course.length ? course(evening.course, (both) => evening.pair(both), (letter) => evening.side(letter), { target: seated.variant.target }) : h("p", {}, _("No hand was finished."))),
    h(
      "section",
      { class: "panel keep" },
      h("h2", {}, seal(22), _("The record")),
      record ? h("p", {}, file ? _("Kept as {name}", { name: file }) : _("It could not be written.")) : h("p", {}, _("Waiting for the signatures of all ...")),
      sealed?.missing?.length ? h("p", { class: "warn" }, _("Not signed by: {names}", { names: sealed.missing.map((seat) => evening.player(seat).player).join(", ") })) : null,
      file && verify ? h("button", { class: "button", "data-key": "verify", onclick: () => verify(file) }, icon("check"), h("b", {}, _("Verify it"))) : null,
      file && verify ? h("a", { class: "button", href: `/api/matches/${encodeURIComponent(file)}`, download: file }, icon("save"), h("b", {}, _("Save the file"))) : null,
      h("div", { id: "verdict", role: "status" }, verdict),
    ),
    h(
      "footer",
      { class: "panel begin" },
      h("p", {}, question ? _("Another match? The seats stay.") : ""),
      question ? h("button", { class: "button", "data-key": "no", onclick: () => another(false) }, _("No, thanks")) : home ? h("a", { class: "button", href: "/" }, _("Start page")) : null,
      question ? h("button", { class: "button first big", "data-key": "yes", onclick: () => another(true) }, letters(_("Again"), 26, { name: _("Again") })) : null,
    ),
  );
}

/** What `verify --json` said, in words. */
export function told(found) {
  if (found.error) return h("p", { class: "warn" }, found.error.message);
  const lines = [
    ngettext("{n} entry", "{n} entries", found.entries), ngettext("{n} shuffle", "{n} shuffles", found.shuffles), ngettext("{n} token", "{n} tokens", found.tokens),
  ].join(", ");
  const head = found.ok ? { complete: _("Everything in it holds, and all have signed."), unsealed: _("Everything in it holds; not all have signed the end."), interrupted: _("What is in it holds; the match was broken off.") }[found.status] : _("It does not hold.");
  return h("p", { class: found.ok ? "good" : "warn" }, h("b", {}, head), " ", lines, found.violation ? h("span", {}, ` ${found.violation.message}`) : null);
}
