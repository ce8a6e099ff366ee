// The start page: play now, open a table, the tables on this network, a ticket, the matches played.

import { fill, h, one } from "./dom.js";
import { avatar, card, floor, icon, letters, mark, tableTop } from "./draw/draw.js";
import { wear } from "./settings.js";
import { bar } from "./view/bar.js";
import { told } from "./view/end.js";
import { _, ngettext, speak } from "./words.js";

const LOOK = 4000;
const page = { start: null, tables: null, network: true, variant: "mineiro", seats: 2, bot: "", fault: "", verdicts: new Map(), busy: false };

async function ask(address, body) {
  const answered = await fetch(address, body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  const said = await answered.json().catch(() => ({}));
  if (!answered.ok) throw new Error(said.error?.message ?? _("The program does not answer."));
  return said;
}

async function go(address, body) {
  if (page.busy) return;
  page.busy = true;
  page.fault = "";
  try {
    const said = await ask(address, body);
    location.assign(said.go);
  } catch (error) {
    page.fault = error.message;
    page.on = (await fetch("/match", { redirect: "manual" })).ok;
  }
  page.busy = false;
  draw();
}

async function settings(changed) {
  try {
    page.start = await ask("/api/settings", changed);
    await speak(page.start.language);
  } catch (error) {
    page.fault = error.message;
  }
  draw();
}

function segments(legend, items, chosen, choose) {
  return h("fieldset", {}, h("legend", {}, legend), h("div", { class: "segments" }, items.map(([value, text, note]) => h("button", { "data-key": `${legend}${value}`, "aria-pressed": String(value === chosen), onclick: () => choose(value) }, text, note ? h("small", {}, note) : null))));
}

function spot(at, many) {
  const angle = (2 * Math.PI * at) / many;
  return { left: `${50 + 50 * Math.sin(angle)}%`, top: `${50 + 46 * Math.cos(angle)}%` };
}

function preview() {
  const { nick } = page.start;
  const called = page.bot;
  return h(
    "div",
    { class: "preview", "aria-hidden": "true" },
    tableTop(400, 260),
    h("div", { class: "trio" }, ["4c", "7h", "As"].map((face) => card(face, { small: true, tag: false, manilhas: ["4c", "7h", "As", "7d"] }))),
    [...Array(page.seats).keys()].map((at) => h("div", { class: `seat ${at % 2 ? "them" : "us"}`, place: spot(at, page.seats) }, avatar(at ? called : nick, at % 2 ? "them" : "us", { size: 36 }), h("span", { class: "who" }, h("b", { class: "name" }, at ? called.slice(0, 14) : nick)))),
  );
}

function play() {
  const { variants, bots } = page.start;
  const variant = variants.find((one) => one.name === page.variant) ?? variants[0];
  return h(
    "section",
    { class: "panel play" },
    h("h1", {}, letters(_("Play now"), 34, { name: _("Play now") })),
    h(
      "div",
      { class: "fields" },
      h("label", {}, h("legend", {}, _("Variant")), h("select", { "data-key": "variant", "aria-label": _("Variant"), onchange: (event) => { page.variant = event.target.value; const sizes = sizesOf(); if (!sizes.includes(page.seats)) page.seats = sizes[0]; draw(); } }, variants.map((one) => h("option", { value: one.name, selected: one.name === variant.name }, one.title || one.name)))),
      segments(_("Seats"), sizesOf().map((n) => [n, String(n)]), page.seats, (n) => { page.seats = n; draw(); }),
      h("label", {}, h("legend", {}, _("Bots")), h("select", { "data-key": "bot", "aria-label": _("Bots"), onchange: (event) => { page.bot = event.target.value; draw(); } }, bots.map((one) => h("option", { value: one.name, selected: one.name === page.bot }, one.name)))),
      h("button", { class: "button first big", "data-key": "play", onclick: () => go("/api/play", { variant: page.variant, seats: page.seats, bots: [page.bot] }) }, letters(_("Sit down"), 28, { name: _("Sit down") })),
      h("p", { class: "fault", role: "alert" }, page.fault),
    ),
    preview(),
  );
}

/** The sizes that a variant allows, as its sentence says them first of all. */
function sizesOf() {
  const variant = page.start.variants.find((one) => one.name === page.variant);
  const seats = variant?.seats ?? [2, 4, 6, 8];
  return Array.isArray(seats) ? seats : String(seats).split(",").map(Number);
}

function people() {
  const line = h("input", { type: "text", maxlength: 600, placeholder: "TRUCO…", "aria-label": _("Ticket"), "data-key": "ticket", autocomplete: "off", spellcheck: "false" });
  const tables = page.tables ?? [];
  return h(
    "section",
    { class: "panel people" },
    h("h1", {}, letters(_("With people"), 34, { name: _("With people") })),
    h("button", { class: "button", "data-key": "host", onclick: () => go("/api/host", { variant: page.variant, seats: sizesOf().includes(4) ? Math.max(page.seats, 4) : page.seats }) }, icon("ticket", 24), h("span", {}, h("b", {}, _("Open a table")), h("small", {}, _("you get a ticket and a QR code for those whom you call")))),
    h("h2", {}, icon("wifi", 18), " ", _("Tables on this network")),
    tables.length
      ? h("ul", {}, tables.map((table) => h("li", {}, h("div", {}, h("b", {}, table.host), h("small", {}, `${table.variant} · `, ngettext("{n} seat free", "{n} seats free", table.free))), h("button", { class: "button small", "data-key": `join${table.number}`, "aria-disabled": String(!table.free || table.private), onclick: () => table.free && !table.private && go("/api/join", { table: table.number }) }, table.private ? _("ticket only") : table.free ? _("Sit down") : _("full")))))
      : h("p", { class: "empty" }, page.tables === null ? _("Looking ...") : page.network ? _("None in sight. This goes on looking.") : _("There is no network.")),
    h("h2", {}, _("I have a ticket")),
    h("form", { class: "by-ticket", onsubmit: (event) => { event.preventDefault(); if (line.value.trim()) go("/api/join", { ticket: line.value.trim() }); } }, line, h("button", { class: "button first" }, h("b", {}, _("Come in")))),
  );
}

function past() {
  const { matches } = page.start;
  return h(
    "section",
    { class: "panel past" },
    h("h2", {}, _("Last matches")),
    matches.length ? h("ul", {}, matches.slice(0, 12).map(match)) : h("p", { class: "empty" }, _("None yet.")),
  );
}

function match(one) {
  const score = one.score ?? {};
  const players = Array.isArray(one.players) ? one.players.map((player) => player.name ?? player).join(", ") : (one.players ?? "");
  const verdict = page.verdicts.get(one.file);
  return h(
    "li",
    {},
    h("b", {}, one.variant ?? ""),
    h("span", {}, "A" in score ? [mark("us"), ` ${score.A} × ${score.B} `, mark("them")] : ""),
    h("div", {}, players, h("small", {}, one.when ?? "", one.how ? ` · ${one.how}` : "")),
    h("button", { class: "button small", "data-key": `verify${one.file}`, onclick: () => verify(one.file) }, icon("check", 16), _("Verify")),
    h("a", { class: "button small", href: `/api/matches/${encodeURIComponent(one.file)}`, download: one.file }, icon("save", 16), _("Save")),
    verdict ? h("div", { class: "told", role: "status" }, verdict) : null,
  );
}

async function verify(file) {
  page.verdicts.set(file, h("p", {}, _("Verifying ...")));
  draw();
  try {
    page.verdicts.set(file, told(await ask(`/api/matches/${encodeURIComponent(file)}/verify`, {})));
  } catch (error) {
    page.verdicts.set(file, h("p", { class: "warn" }, error.message));
  }
  draw();
}

function draw() {
  const { start } = page;
  document.title = "p2ptruco";
  bar({
    what: h("span", {}, h("b", {}, start.nick), " ", h("button", { class: "link", "data-key": "nick", onclick: rename }, _("another name"))),
    speakOther: (language) => settings({ language }),
    again: draw,
  });
  const typed = document.querySelector("[data-key=ticket]")?.value ?? "";
  fill(one("#stage"), h("div", { class: "home-page" }, page.on ? back() : null, play(), people(), past()));
  const line = document.querySelector("[data-key=ticket]");
  if (line && typed) line.value = typed;
}

/** A table that is on in this program. */
function back() {
  return h("section", { class: "panel back" }, h("p", {}, _("A table is on in this program.")), h("a", { class: "button first", href: "/match" }, h("b", {}, _("Back to the table"))));
}

function rename() {
  const line = h("input", { type: "text", maxlength: 24, value: page.start.nick, "aria-label": _("Your name"), "data-key": "name" });
  const shut = () => fill(one("#over"));
  fill(one("#over"), h("form", { class: "sheet-over notice", onsubmit: (event) => { event.preventDefault(); shut(); settings({ nick: line.value.trim() }); } }, h("p", {}, _("What shall the others call you?")), line, h("div", { class: "row" }, h("button", { type: "button", class: "button", onclick: shut }, _("Cancel")), h("button", { class: "button first" }, _("Take it")))));
  line.select();
}

async function look() {
  try {
    const seen = await ask("/api/tables");
    const changed = JSON.stringify(seen.tables) !== JSON.stringify(page.tables);
    Object.assign(page, { tables: seen.tables, network: seen.network });
    if (changed) draw();
  } catch {
    // the next look will do
  }
  setTimeout(look, LOOK);
}

async function begin() {
  wear();
  one("#floor").replaceChildren(floor());
  page.start = await ask("/api/start");
  page.on = (await fetch("/match", { redirect: "manual" })).ok;
  await speak(page.start.language);
  page.bot = page.start.bots.find((bot) => bot.name === "mestre")?.name ?? page.start.bots[0]?.name ?? "";
  draw();
  look();
}

begin();
