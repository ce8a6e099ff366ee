// The page of a table: lobby, match, end. Events come in, one of these is drawn; clicks go out.
//
// 1. The page knows what `state.js` knows, and computes nothing that the table knows.
// 2. Results rest long enough to be seen; a click, a key or the next move skips the rest.

import { fill, h, one } from "./dom.js";
import { floor, icon, letters, tableTop } from "./draw/draw.js";
import { listen } from "./keys.js";
import { still, wear } from "./settings.js";
import { connect } from "./socket.js";
import { sound } from "./sound.js";
import { Evening } from "./state.js";
import { bar } from "./view/bar.js";
import { end, told } from "./view/end.js";
import * as felt from "./view/felt.js";
import * as hand from "./view/hand.js";
import { room, rules } from "./view/lobby.js";
import { plate, share, spot } from "./view/seats.js";
import * as side from "./view/side.js";
import { face, quick, sheet } from "./view/sinais.js";
import { verified } from "./view/verified.js";
import { _, language, speak } from "./words.js";

const REST = 1300;
const RESULT = 2600;
const BUBBLE = 6000;

const evening = new Evening();
const page = { tab: "talk", covered: false, panel: null, down: "lost", taken: false, drawer: false, verdict: null, bots: [], home: false, bubbles: [] };
let send = () => {};
let waiting = null;
let announced = "";

function act(key) {
  const doubt = evening.question("confirm");
  if (doubt && doubt.what === key) {
    send({ command: "answer", id: doubt.id, choice: "yes" });
  } else {
    const question = evening.question("move");
    if (!question || !question.choices.some((choice) => choice.key === key)) return;
    send({ command: "answer", id: question.id, choice: key });
  }
  page.covered = false;
}

function ahead(place, faceDown) {
  send(place === null ? { command: "ahead" } : { command: "ahead", place, face_down: faceDown });
}

function leave() {
  send({ command: "leave" });
}

function rest() {
  const { resting, over } = evening;
  const [at, long] = over ? [over.at, RESULT] : resting ? [resting.at, REST] : [0, 0];
  return Math.max(0, at + long - performance.now());
}

function skip() {
  evening.resting = null;
  if (evening.over) evening.over.at = 0;
  draw();
}

// What happens.

function heard(object) {
  if (object.taken_over) page.taken = true;
  const before = evening.place;
  evening.hear(object);
  if ("front" in object && object.language !== language()) speak(object.language).then(draw);
  if (object.event === "language") speak(object.language).then(draw);
  if (object.event === "talk" || object.event === "wink") bubble(object);
  if (object.event === "call") announce(`${name(object.seat)}: ${object.word}! ${object.points}`);
  if (object.question === "confirm" && object.what === "leave") page.panel = "leave";
  if (object.event === "closed" && page.panel === "leave" && !evening.question("confirm")) page.panel = null;
  if (object.event === "refused") announce(object.message ?? "");
  if (before !== evening.place) page.panel = null;
  noises(object);
  if ((object.event === "card" || object.event === "trick") && still()) laid();
  draw(object.event === "card" || object.event === "trick" || object.event === "hand_begun");
}

function noises(object) {
  if (object.event === "card") sound("slap");
  if (object.event === "call") sound("shout", evening.hand.next_call ? evening.seated.variant.calls.length - evening.seated.variant.calls.findIndex((one) => one.word === object.word) : 4);
  if (object.event === "hand_over") sound("seeds");
  if (object.event === "ended" && object.mine) sound("win");
  if (object.question === "move" && !object.advice) sound("turn");
}

function name(seat) {
  return seat === evening.me ? _("you") : (evening.player(seat)?.player ?? "");
}

function announce(text) {
  one("#live").textContent = text;
}

function bubble(event) {
  page.bubbles = [...page.bubbles.filter((old) => old.seat !== event.seat), { ...event, until: performance.now() + BUBBLE }];
  setTimeout(draw, BUBBLE + 50);
}

// The page.

/** Draw what is so, soon: whatever comes in one frame is drawn once. */
function draw(moving = false) {
  page.moving ||= moving === true;
  if (page.due) return;
  page.due = true;
  if (document.visibilityState === "visible") requestAnimationFrame(now);
  else setTimeout(now, 50);
}

function now() {
  const { moving } = page;
  Object.assign(page, { due: false, moving: false });
  const paint = () => {
    header();
    body();
    over();
    call();
  };
  if (moving && document.startViewTransition && !still() && document.visibilityState === "visible") {
    const going = document.startViewTransition(paint);
    for (const promise of [going.ready, going.finished, going.updateCallbackDone]) promise.catch(() => {});
  } else paint();
  clearTimeout(waiting);
  const pause = rest();
  if (pause) waiting = setTimeout(() => { if (evening.resting) evening.resting = null; draw(true); }, pause + 10);
}

function header() {
  const { seated, deck } = evening;
  const variant = seated?.variant ?? evening.lobby?.variant;
  const scale = variant ? [variant.base, ...variant.calls.map((step) => step.points)].join("-") : "";
  const done = deck && evening.seats && deck.ready.length === evening.seats;
  bar({
    what: variant ? h("span", {}, h("b", {}, variant.name), `, ${scale}`) : "",
    badge: done ? _("Deck verified") : null,
    openBadge: () => show(page.panel === "verified" ? null : "verified"),
    home: page.home,
    leave: seated && !evening.ended ? leave : evening.lobby && !seated ? leave : null,
    speakOther: (other) => send({ command: "language", language: other }),
    again: draw,
  });
}

function body() {
  const stage = one("#stage");
  const shape = evening.ended ? "end" : evening.place === "match" && evening.seated ? "match" : evening.lobby && !evening.lobby.alone ? "room" : "wait";
  document.body.dataset.place = shape;
  if (shape === "end") fill(stage, end(evening, { another: (yes) => answer("another", yes ? "yes" : "no"), verify, verdict: page.verdict, home: page.home }));
  else if (shape === "room") roomOf(stage);
  else if (shape === "match") table(stage);
  else fill(stage, h("p", { class: "wait" }, icon("deck", 28), evening.stopped?.message ?? evening.error?.message ?? evening.notice?.message ?? _("The players sit down ...")));
}

function answer(question, choice) {
  const asked = evening.question(question);
  if (asked) send({ command: "answer", id: asked.id, choice });
}

function roomOf(stage) {
  if (!stage.querySelector(".room")) stage.replaceChildren(h("div", { id: "room" }));
  const talk = (stage.dataset.spoken === language() && one("#room .talk")) || talkBox();
  stage.dataset.spoken = language();
  const lines = h("div", { class: "lines", tabindex: "0", role: "log", "aria-label": _("Conversation") }, side.lines(evening));
  const box = h("section", { class: "panel talking" }, h("h2", {}, _("Conversation")), lines, talk);
  fill(one("#room"), room(evening, { send, bots: page.bots, copied, talk: box }));
  
  lines.scrollTop = lines.scrollHeight;
}

async function copied() {
  await navigator.clipboard.writeText(evening.invitation.ticket);
  announce(_("Copied."));
}

/** The table: its parts stay, what is in them is drawn anew. */
function table(stage) {
  if (!stage.querySelector("#felt") || stage.dataset.spoken !== language()) {
    stage.dataset.spoken = language();
    stage.replaceChildren(
      h("div", { class: "stage" },
        h("section", { class: "surface", "aria-label": _("The table") }, h("div", { id: "top" }), h("div", { id: "felt" }), h("div", { id: "seats" })),
        h("section", { class: "mine" }, h("div", { id: "me" }), h("div", { id: "hand" }), h("div", { id: "actions" }))),
      h("aside", { class: "side", id: "side" },
        h("div", { id: "score" }),
        h("section", { class: "panel talking" }, h("div", { class: "tabs", role: "tablist", id: "tabs" }), h("div", { id: "tab", role: "tabpanel" }), h("div", { class: "quick", id: "quick" }), talkBox()),
        h("div", { id: "proof" })),
      h("button", { class: "tool drawer", id: "drawer", "aria-label": _("Conversation and cards"), onclick: () => { page.drawer = !page.drawer; draw(); } }, icon("talk", 22)),
    );
    new ResizeObserver(surface).observe(one("#top"));
    surface();
  }
  const small = innerWidth < 640;
  const crowd = evening.seats > 4;
  document.body.dataset.seats = evening.seats;
  document.body.classList.toggle("drawn", page.drawer);
  const others = evening.seated.players.filter((player) => player.seat !== evening.me);
  fill(one("#seats"), others.map((player) => seatAt(player.seat, small || crowd)), page.bubbles.filter((said) => said.until > performance.now()).map(balloon));
  lying();
  const doubted = evening.question("confirm")?.what ?? null;
  fill(one("#me"), crowd && evening.hand ? h("div", { class: "facts" }, felt.manilhas(evening), felt.tricksWon(evening)) : null, hand.me(evening));
  fill(one("#hand"), hand.cards(evening, { act, ahead, covered: page.covered, doubted }));
  fill(one("#actions"), hand.actions(evening, { act, covered: page.covered, doubted, cover: () => { page.covered = !page.covered; draw(); } }));
  fill(one("#score"), side.score(evening));
  fill(one("#proof"), side.proof(evening, () => show("verified")));
  tabs();
}

/** What lies on the table. */
function lying() {
  const crowd = evening.seats > 4;
  const reach = innerWidth >= 640 && crowd ? 0.56 : 0.5;
  const showOver = evening.over && evening.over.at + RESULT > performance.now();
  fill(
    one("#felt"),
    evening.hand ? [felt.trick(evening, reach), showOver ? felt.result(evening) : felt.shout(evening) ?? felt.worth(evening), felt.vira(evening), crowd ? null : [felt.manilhas(evening), felt.tricksWon(evening)]] : h("p", { class: "dealing" }, letters(_("Shuffling"), 34, { name: _("Shuffling") }), shuffling()),
  );
}

/** Where nothing moves, a card lies there at once; the rest is drawn with the next frame. */
function laid() {
  if (one("#felt") && evening.seated && evening.place === "match" && !evening.ended) lying();
}

function shuffling() {
  const { deck } = evening;
  return deck ? h("span", {}, _("{n} of {all} have shuffled.", { n: deck.shuffled.length, all: evening.seats })) : null;
}

function seatAt(seat, small) {
  const [x, y] = spot(evening, seat);
  const flat = Math.abs(x - 0.5) < 0.12;
  const made = plate(evening, seat, { vertical: evening.seats <= 4 ? !flat : Math.abs(x - 0.5) > 0.4, small });
  made.style.setProperty("left", `${100 * x}%`);
  made.style.setProperty("top", `${100 * y}%`);
  return made;
}

function balloon(said) {
  if (said.seat === null || said.seat === evening.me) return null;
  const [x, y] = spot(evening, said.seat, 0.78);
  return h("div", { class: `balloon ${said.event}`, role: "status", place: { left: `${100 * x}%`, top: `${100 * y}%` } }, said.sinal ? [face(said.sinal, 56), h("b", {}, side.sinalName(said.sinal))] : [said.event === "wink" ? icon("wink", 18) : null, said.text]);
}

function surface() {
  const top = one("#top");
  if (!top || !top.clientWidth) return;
  top.replaceChildren(tableTop(top.clientWidth, top.clientHeight));
}

function tabs() {
  const kinds = [["talk", _("Conversation")], ["gone", _("Cards gone by")], ["rules", _("Rules")]];
  fill(one("#tabs"), kinds.map(([kind, text]) => h("button", { role: "tab", "data-key": `tab-${kind}`, "aria-selected": String(page.tab === kind), onclick: () => { page.tab = kind; draw(); } }, text)));
  const holder = one("#tab");
  if (page.tab === "talk") {
    const atEnd = holder.scrollHeight - holder.scrollTop - holder.clientHeight < 40 || page.shown !== "talk";
    fill(holder, h("div", { class: "lines", role: "log", tabindex: "0", "aria-label": _("What happened") }, side.lines(evening)));
    if (atEnd) holder.scrollTop = holder.scrollHeight;
  } else if (page.tab === "gone") fill(holder, side.gone(evening));
  else fill(holder, rules(evening.seated.variant, evening.seated.words));
  page.shown = page.tab;
  fill(one("#quick"), page.tab === "talk" ? quick().slice(0, 4).map((text) => h("button", { "data-key": text, onclick: () => send({ command: "talk", text }) }, text)) : []);
}

function talkBox() {
  const line = h("input", { type: "text", maxlength: 200, placeholder: _("Talk to the table"), "aria-label": _("Talk to the table"), "data-key": "talk", autocomplete: "off" });
  const say = (command) => {
    if (!line.value.trim()) return;
    send({ command, text: line.value.trim() });
    line.value = "";
  };
  return h(
    "form",
    { class: "talk", onsubmit: (event) => { event.preventDefault(); say("talk"); } },
    line,
    h("button", { type: "button", class: "tool", "aria-label": _("A sign to your partner"), title: _("A sign to your partner"), onclick: () => (line.value.trim() && evening.seats > 2 ? say("wink") : show(page.panel === "sinais" ? null : "sinais")) }, icon("wink", 20)),
    h("button", { class: "tool", "aria-label": _("Say it"), title: _("Say it") }, icon("send", 20)),
  );
}

// What lies over the page.

function show(panel) {
  page.panel = panel;
  draw();
}

function over() {
  const parts = [];
  if (page.taken) parts.push(notice(_("Another tab shows this table now."), h("button", { class: "button first", onclick: () => location.reload() }, _("Show it here"))));
  else if (page.down === "lost") parts.push(h("p", { class: "toast", role: "status" }, icon("unplug"), _("The program does not answer. Trying again ...")));
  if (page.panel === "verified" && evening.deck && evening.seated) parts.push(verified(evening, () => show(null)));
  if (page.panel === "sinais" && evening.seated) {
    parts.push(h("div", { class: "sheet-over small", role: "dialog", "aria-label": _("Signs") }, evening.seats > 2 ? sheet((word) => { send({ command: "wink", text: word }); show(null); }) : h("p", {}, _("You have no partner at this table.")), h("button", { class: "tool shut", "aria-label": _("Close"), onclick: () => show(null) }, icon("close"))));
  }
  const confirm = evening.question("confirm");
  if (page.panel === "leave" && confirm?.what === "leave") {
    parts.push(notice(confirm.message ?? _("Leave the table?"), h("button", { class: "button first", "data-key": "stay", onclick: () => { send({ command: "answer", id: confirm.id, choice: "no" }); show(null); } }, _("Stay")), h("button", { class: "button red", "data-key": "go", onclick: () => { send({ command: "answer", id: confirm.id, choice: "yes" }); show(null); } }, _("Leave"))));
  }
  const rename = evening.question("rename");
  if (rename) parts.push(named(rename));
  if (evening.standing?.cut_off) parts.push(h("p", { class: "toast warn", role: "status" }, icon("unplug"), _("You hear nobody: your own network seems to be gone.")));
  if (evening.notice?.message && performance.now() < noticed(evening.notice) + BUBBLE) parts.push(h("p", { class: "toast", role: "status" }, evening.notice.message));
  fill(one("#over"), parts);
}

function noticed(event) {
  if (event.at === undefined) {
    event.at = performance.now();
    setTimeout(draw, BUBBLE + 50);
  }
  return event.at;
}

function notice(text, ...buttons) {
  return h("div", { class: "sheet-over notice", role: "alertdialog", "aria-label": text }, text.split("\n").map((part) => h("p", {}, part)), h("div", { class: "row" }, buttons));
}

function named(question) {
  const line = h("input", { type: "text", maxlength: 24, "aria-label": _("Your name"), "data-key": "rename" });
  return h("form", { class: "sheet-over notice", onsubmit: (event) => { event.preventDefault(); answer("rename", line.value.trim()); } }, h("p", {}, question.message ?? _("Somebody at the table has your name already. Another name:")), line, h("button", { class: "button first" }, _("Take it")));
}

/** The tab calls when it is our turn. */
function call() {
  const mine = evening.question("move");
  const seconds = mine && evening.turn?.seconds_left !== null ? Math.ceil(left()) : null;
  const text = evening.ended ? (evening.ended.mine ? _("Won") : _("The end")) : mine ? (seconds !== null && seconds < 20 ? _("{n} s · your turn", { n: seconds }) : _("Your turn")) : "";
  document.title = text ? `${text} · p2ptruco` : "p2ptruco";
  const turn = mine ? `${mine.id}` : "";
  if (turn && turn !== announced) announce(mine.advice ? _("Your partner speaks; you may advise.") : _("Your turn."));
  announced = turn;
}

function left() {
  return Math.max(0, evening.turn.seconds_left - (performance.now() - evening.turned) / 1000);
}

/** Rings and seconds go on by themselves, without drawing everything. */
function tick() {
  if (document.body.dataset.place === "match" && evening.turn && evening.seated) {
    const part = share(evening);
    document.querySelectorAll(".asked .rg").forEach((ring) => ring.setAttribute("stroke-dasharray", `${Math.round((part ?? 1) * 100)} 100`));
    const seconds = document.querySelector(".me .seconds");
    if (seconds && evening.turn.mine && evening.turn.seconds_left !== null && evening.turn.what !== "deal") {
      seconds.textContent = _("{n} s", { n: Math.ceil(left()) });
      document.querySelector(".me").classList.toggle("short", left() < 8);
    }
    call();
  }
}

async function verify(file) {
  page.verdict = h("p", {}, _("Verifying ..."));
  draw();
  const answered = await fetch(`/api/matches/${encodeURIComponent(file)}/verify`, { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
  page.verdict = told(await answered.json());
  draw();
}

async function begin() {
  wear();
  one("#floor").replaceChildren(floor());
  await speak(document.documentElement.lang);
  send = connect({ heard, gone: (state) => { page.down = state; draw(); } });
  listen({
    press: ({ card, down, key }) => {
      if (key === "talk") document.querySelector("[data-key=talk]")?.focus();
      else if (card) {
        const held = evening.held[card - 1];
        if (!held) return;
        const keys = new Set(evening.question("move")?.choices.map((choice) => choice.key) ?? []);
        const wanted = down || page.covered ? `x${held.place}` : `${held.place}`;
        if (keys.has(wanted)) act(wanted);
        else if (keys.has(`x${held.place}`)) act(`x${held.place}`);
        else if (!keys.size) document.querySelector(`[data-key=card${held.place}]`)?.click();
      } else document.querySelector(`#actions [data-key=${key}]`)?.click();
    },
    escape: () => show(null),
    skip,
  });
  one("#stage").addEventListener("click", (event) => {
    if (!event.target.closest("button, a, input, summary") && rest()) skip();
  });
  setInterval(tick, 250);
  const start = await fetch("/api/start").catch(() => null);
  if (start?.ok) {
    const told = await start.json();
    Object.assign(page, { bots: told.bots, home: told.home });
    draw();
  }
}

begin();
