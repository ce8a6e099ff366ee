// The page: takes a file, has it audited in a worker, and tells what was found.
//
// Text of a record (names) reaches the page as text nodes only.

import WORKER from "worker-source";
import { card, course, letters, mark, shape } from "./art.mjs";
import { WORDS, cardName, fill } from "./words.mjs";

const $ = (id) => document.getElementById(id);
let lang = navigator.language.startsWith("pt") ? "pt" : "en";
let shown = { kind: "start" };
let worker = null;
let telling = 0; // which rendering is the newest

const words = () => WORDS[lang];

/** An element with text, elements and pictures in it; a picture is { svg }. */
function make(tag, className, ...inside) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  for (const part of inside.flat()) {
    if (part === null || part === undefined || part === "") continue;
    if (part.svg) element.insertAdjacentHTML("beforeend", part.svg);
    else element.append(part);
  }
  return element;
}

const pause = () => new Promise((resume) => { setTimeout(resume, 0); });
const side = (team) => fill(words().team, "AB"[team]);

// Reading

function take(file) {
  worker?.terminate();
  const source = URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));
  worker = new Worker(source);
  URL.revokeObjectURL(source);
  worker.onmessage = ({ data }) => {
    if ("share" in data) return progress(data.share);
    worker.terminate();
    worker = null;
    shown = { kind: "found", name: file.name, ...data };
    return tell();
  };
  shown = { kind: "working", name: file.name };
  tell();
  file.arrayBuffer().then((bytes) => worker.postMessage(bytes, [bytes]));
}

function progress(share) {
  const bar = $("progress");
  if (bar) bar.value = share;
}

// Telling

async function tell() {
  telling += 1;
  const now = telling;
  const w = words();
  document.documentElement.lang = lang === "pt" ? "pt-BR" : "en";
  document.title = `p2ptruco · ${w.title}`;
  $("title").textContent = w.title;
  $("lead").textContent = w.lead;
  $("choose").textContent = shown.kind === "start" ? w.choose : w.another;
  $("drop").textContent = w.drop;
  for (const button of document.querySelectorAll("[data-lang]")) {
    button.setAttribute("aria-pressed", String(button.dataset.lang === lang));
  }
  const out = $("found");
  out.replaceChildren();
  out.dataset.state = shown.kind;
  if (shown.kind === "working") out.append(working(w));
  if (shown.kind !== "found") return;
  if (shown.failed) {
    const why = shown.failed === "no_record" ? w.noRecord : fill(w.program, shown.why);
    out.append(make("section", "panel verdict", { svg: mark(false) }, make("div", "", make("h2", "", w.broken), make("p", "", why))));
    out.dataset.state = "done";
    return;
  }
  out.append(verdict(w), who(w), scores(w));
  for (const [i, story] of shown.stories.entries()) {
    await pause();
    if (telling !== now) return;
    if (story.entries || i === 0) out.append(hand(w, story));
  }
  out.append(meaning(w));
  out.dataset.state = "done";
}

function working(w) {
  const bar = make("progress");
  Object.assign(bar, { id: "progress", max: 1, value: 0 });
  bar.setAttribute("aria-label", fill(w.working, shown.name));
  return make("section", "panel", make("p", "", fill(w.working, shown.name)), bar);
}

function verdict(w) {
  const { report } = shown;
  const { ok, winner, score, status, violation } = report;
  const text = winner ? w.wonBy : status === "interrupted" || !ok ? w.stands : w.nobody;
  const result = fill(text, winner && side("AB".indexOf(winner)), score.A, score.B);
  const unsealed = report.unsealed_by.map((seat) => player(seat - 1)).join(", ");
  const [place, why] = violation ? at(w, violation) : [];
  return make("section", `panel verdict ${ok ? "good" : "bad"}`, { svg: mark(ok) }, make(
    "div", "", make("h2", "", ok ? w.holds : w.broken), ok ? make("p", "result", result) : null,
    ok ? make("p", "", fill(w[status], unsealed)) : null,
    ok ? null : make("p", "", `${w.fault}: ${place}: ${why}.`),
    make("p", "quiet", fill(w.counts, report.entries, report.shuffles, report.tokens)),
    make("p", "quiet code", fill(w.table, shown.table.slice(0, 16))),
  ));
}

const player = (seat) => shown.report.peers[seat].name;

function who(w) {
  const rows = shown.report.peers.map(({ seat, name, fingerprint, operator }) => make(
    "li", "", { svg: shape((seat - 1) % 2) }, make("span", "seat", String(seat)), make("b", "", name),
    make("span", "quiet code", fill(w.fingerprint, fingerprint)),
    operator === seat ? null : make("span", "quiet", fill(w.runBy, player(operator - 1))),
  ));
  return make("section", "panel", make("h2", "", w.who), make("ul", "who", rows));
}

function scores(w) {
  const courses = [[0, 0], ...shown.stories.filter(({ after }) => after).map(({ after }) => after)];
  const last = courses.at(-1);
  return make("section", "panel", make("h2", "", w.course), { svg: course(courses, shown.target, fill(w.courseName, ...last)) });
}

// One hand

function hand(w, story) {
  const { violation } = shown.report;
  const here = violation && violation.hand === story.hand + 1 ? at(w, violation) : null;
  const before = Math.max(...story.score);
  const kind = story.kind ? fill(w[story.kind], w.numbers[before] ?? before) : "";
  const dealt = story.dealer === null ? w.undealt : fill(w.dealt, player(story.dealer));
  const result = story.result
    ? story.result.winner === null ? w.tie : `${fill(w.result, side(story.result.winner), story.result.points)}, ${w.how[story.result.how]}`
    : w.open;
  const seats = shown.report.seats;
  const proofs = [
    fill(w.keys, story.openings, seats), fill(w.shuffles, story.shuffles, seats),
    fill(w.tokens, story.tokens), fill(w.signed, story.entries),
  ];
  return make("section", `panel hand${here ? " marked" : ""}`,
    make("h2", "", fill(w.hand, story.hand + 1), make("span", "quiet", [dealt, kind].filter(Boolean).join(", "))),
    story.vira ? make("p", "vira", make("span", "quiet", w.vira), picture(story.vira, null)) : null,
    moves(w, story),
    make("p", "result", result),
    make("details", "", make("summary", "", w.proved), make("ul", "", proofs.map((text) => make("li", "", text)))),
    here ? fault(w, violation, here) : null);
}

function picture(face, strength) {
  const manilha = strength !== null && strength > shown.ranks ? strength - shown.ranks : null;
  const name = cardName(lang, face);
  return { svg: card(face, manilha === null ? name : fill(words().manilha, name), manilha) };
}

function moves(w, story) {
  const tricks = [make("ol", "moves")]; // one list a trick
  let laid = 0;
  for (const move of story.moves) {
    const { seat, card: face, word, call, left, illegal } = move;
    const name = player(seat);
    const list = tricks.at(-1);
    if (face) {
      list.append(make("li", "laid", picture(face, move.strength), make("span", "", { svg: shape(seat % 2) }, name)));
      laid += 1;
      const trick = laid % shown.report.seats === 0 ? story.tricks[laid / shown.report.seats - 1] : null;
      if (trick) {
        list.append(make("li", "taken", trick.winner === null ? w.tied : fill(w.takes, side(trick.winner))));
        tricks.push(make("ol", "moves"));
      }
    } else if (left) list.append(make("li", "said", fill(w.leaves, name)));
    else if (illegal) list.append(make("li", "said wrong", fill(w.illegalMove, name)));
    else list.append(make("li", `said${word === "call" ? " called" : ""}`, fill(w[word], name, call)));
  }
  return tricks.filter((list) => list.children.length);
}

function at(w, { kind, hand: number, step, seat }) {
  if (number === null) return [w.agreementFault, w.kinds[kind]];
  const place = fill(w.faultAt, number, step) + (seat === null ? "" : `, ${fill(w.faultSeat, seat)}`);
  return [place, w.kinds[kind]];
}

function fault(w, { seat, kind }, [place, why]) {
  const name = seat === null ? "" : player(seat - 1);
  if (shown.report.ok) return make("p", "fault", make("b", "", place), ` ${fill(w.culprit, name, w.kinds[kind])}`);
  const said = [make("b", "", w.fault), make("br"), `${place}${name ? ` (${name})` : ""}: ${why}.`, make("br"), w.upTo];
  const note = make("p", "fault", said);
  note.id = "fault";
  return note;
}

function meaning(w) {
  return make("section", "panel meaning",
    shown.report.ok ? make("div", "", make("h2", "", w.means), make("p", "", w.meaning)) : null,
    make("div", "", make("h2", "", w.notTitle), make("ul", "", w.not.map((text) => make("li", "", text)))));
}

// Wiring

$("logo").innerHTML = `${letters("P2P")}${letters("TRUCO")}`;
$("file").addEventListener("change", ({ target }) => {
  if (target.files.length) take(target.files[0]);
  target.value = "";
});
for (const button of document.querySelectorAll("[data-lang]")) {
  button.addEventListener("click", () => {
    lang = button.dataset.lang;
    tell();
  });
}
for (const name of ["dragenter", "dragover", "dragleave", "drop"]) {
  document.addEventListener(name, (event) => {
    event.preventDefault();
    document.body.classList.toggle("over", name === "dragenter" || name === "dragover");
    if (name === "drop" && event.dataTransfer.files.length) take(event.dataTransfer.files[0]);
  });
}
tell();
