// Cards, letters, seats and the table, drawn from the constants beside this file.

import { drawing, h } from "../dom.js";
import { _ } from "../words.js";
import { BACK, BACK_PATTERN, SBACK, SEED, SLOT } from "./backs.js";
import { COURTS, PIPS, SHINE, SUITS } from "./faces_of_cards.js";
import { ICONS } from "./icons.js";
import { LETTERS } from "./letters.js";

const UP = "ÃÉÓÁÍÊÕ";
const DOWN = "Ç,";

/** A word in wood type, `height` pixels tall without what stands out of the line. */
export function letters(text, height, { kind = "", carved = false, name = "" } = {}) {
  const signs = [...text.toLocaleUpperCase()].filter((one) => one in LETTERS);
  const top = signs.some((one) => UP.includes(one)) ? -34 : 0;
  const end = signs.some((one) => DOWN.includes(one)) ? 124 : 100;
  let x = 0;
  const parts = signs.map((sign) => {
    const [width, path] = LETTERS[sign];
    const part = [x, path];
    x += width + 10;
    return part;
  });
  const wide = Math.max(x - 10, 1);
  const strokes = (cls) =>
    parts
      .filter(([, path]) => path)
      .map(([at, path]) => `<path class="${cls}" transform="translate(${at} 0)" d="${path}"/>`)
      .join("");
  const scale = height / 100;
  return drawing(`-2 ${top - 2} ${wide + 4} ${end - top + 4}`, strokes("st") + (carved ? strokes("cv") : ""), {
    kind: `letters ${kind}`,
    name,
    width: Math.round((wide + 4) * scale * 10) / 10,
    height: Math.round((end - top + 4) * scale * 10) / 10,
  });
}

export function icon(name, size = 18) {
  return drawing("0 0 24 24", ICONS[name] || "", { kind: "icon", width: size, height: size });
}

function glyph(sign, x, y, height) {
  return `<path class="gl" transform="translate(${x} ${y}) scale(${height / 100})" d="${LETTERS[sign][1]}"/>`;
}

function suit(s, x, y, width, turned = false, shine = true) {
  const k = width / 100;
  const at = `translate(${x - width / 2} ${y - width / 2}) scale(${k})`;
  const light = shine && width >= 20 ? `<path d="${SHINE[s]}" class="hl"/>` : "";
  return `<g transform="${turned ? `rotate(180 ${x} ${y}) ` : ""}${at}"><path d="${SUITS[s]}"/>${light}</g>`;
}

function court(rank) {
  const half = COURTS[rank];
  return (
    '<rect x="25.5" y="13" width="49" height="114" fill="#f5e9cf" stroke="currentColor" stroke-width="1.3"/>' +
    `<g transform="translate(6.5 9.1) scale(.87)">${half}</g>` +
    `<g transform="rotate(180 50 70) translate(6.5 9.1) scale(.87)">${half}</g>` +
    '<path d="M26 70H74" stroke="#fbf5e8" stroke-width="5"/>' +
    '<path d="M25.5 70H74.5" stroke="currentColor" stroke-width="1.6" stroke-dasharray="4 2.5"/>'
  );
}

function face(rank, s, small) {
  if (small) {
    const edge = '<rect class="cb" x=".5" y=".5" width="99" height="139" rx="11"/>';
    return edge + glyph(rank, 14, 14, 56) + suit(s, 64, 101, 58);
  }
  const index = glyph(rank, 15 - LETTERS[rank][0] * 0.13, 9, 26) + suit(s, 15, 48, 15, false, false);
  const body = COURTS[rank]
    ? court(rank)
    : PIPS[rank].map(([x, y, z]) => suit(s, x, y, z, y > 71)).join("");
  const edge = '<rect class="cb" x=".5" y=".5" width="99" height="139" rx="8"/>';
  return `${edge}${body}<g>${index}</g><g transform="rotate(180 50 70)">${index}</g>`;
}

const SUIT_NAMES = { c: () => _("clubs"), h: () => _("hearts"), s: () => _("spades"), d: () => _("diamonds") };
const RANK_NAMES = { A: () => _("ace"), K: () => _("king"), Q: () => _("queen"), J: () => _("jack") };
const TITLES = { "4c": "zap", "7h": "copeta", As: "espadilha", "7d": "pica-fumo" };

/** A card in words: "ace of spades". */
export function cardName(card) {
  if (!card) return _("a card face down");
  const rank = RANK_NAMES[card[0]] ? RANK_NAMES[card[0]]() : card[0];
  return _("{rank} of {suit}", { rank, suit: SUIT_NAMES[card[1]]() });
}

/** What a manilha is called, where the four are always the same. */
export function title(card, manilhas) {
  const place = manilhas.indexOf(card);
  if (place < 0) return "";
  const fixed = manilhas.length === 4 && manilhas.every((one) => one in TITLES);
  return fixed ? TITLES[card] : _("manilha");
}

/** A card; `card` null is its back. `manilhas`: of this hand, the strongest first. */
export function card(card, { small = false, manilhas = [], kind = "", tag = true } = {}) {
  if (!card) {
    const [box, body] = small ? SBACK : BACK;
    return h("span", { class: `card back ${kind}` }, drawing(box, body));
  }
  const strength = manilhas.indexOf(card) + 1;
  const called = title(card, manilhas);
  const name = strength ? `${cardName(card)}, ${called}` : cardName(card);
  const made = h(
    "span",
    { class: `card su-${card[1]} ${strength ? "manilha" : ""} ${kind}`, role: "img", "aria-label": name },
    drawing("0 0 100 140", face(card[0], card[1], small)),
  );
  if (strength && !small) {
    const corner = `<path d="M0 0H32C36.4 0 40 3.6 40 8V40Z"/>${glyph(String(strength), 24, 6, 14)}`;
    made.append(drawing("0 0 40 40", corner, { kind: "dog" }));
    if (tag) made.append(h("b", { class: "tag", "aria-hidden": "true" }, called));
  }
  return made;
}

/** A seat's shape with the letter of its name: a lozenge is ours, a circle theirs. `left`: share of the time. */
export function avatar(name, team, { size = 54, ring = null, away = false } = {}) {
  const sign = [...name.toLocaleUpperCase().normalize("NFD")].find((one) => one in LETTERS) || "?";
  const timed = ring !== null;
  const lozenge = (r) => `M50 ${50 - r}L${50 + r} 50L50 ${50 + r}L${50 - r} 50Z`;
  const shape =
    team === "us"
      ? `<path d="${lozenge(timed ? 33 : 40)}" class="sh"/>`
      : `<circle cx="50" cy="50" r="33" class="sh"/>`;
  const around =
    team === "us"
      ? (cls) => `<path d="${lozenge(44)}" class="${cls}" pathLength="100"/>`
      : (cls) => `<circle cx="50" cy="50" r="44" class="${cls}" pathLength="100" transform="rotate(-90 50 50)"/>`;
  const rings = timed ? around("rt") + around("rg") : "";
  const made = drawing("0 0 100 100", shape + rings + glyph(sign, 50 - LETTERS[sign][0] * 0.17, 33, 34), {
    kind: `avatar ${team} ${timed ? "timed" : ""} ${away ? "away" : ""}`,
    width: size,
    height: size,
  });
  if (timed) made.querySelector(".rg").setAttribute("stroke-dasharray", `${Math.round(ring * 100)} 100`);
  return made;
}

/** The small shape of a team. */
export function mark(team, size = 12) {
  const path = team === "us" ? '<path d="M10 0L20 10L10 20L0 10Z"/>' : '<circle cx="10" cy="10" r="8.5"/>';
  return drawing("0 0 20 20", path, { kind: `mark ${team}`, width: size, height: size });
}

/** Points as seeds, in pairs. */
export function seeds(points, target) {
  const many = [...Array(Math.min(target, 24)).keys()];
  return h(
    "span",
    { class: "seeds", "aria-hidden": "true" },
    many.map((at) => {
      const state = at < points ? "on" : "off";
      const [box, body] = at < points ? SEED : SLOT;
      return drawing(box, body, { kind: `${state} ${at % 2 ? "second" : ""}`, width: 13, height: 16 });
    }),
  );
}

export function seal(size = 26) {
  const star =
    "M20 1L24.6 5.3L30.7 3.7L32.5 9.8L38.6 11.6L37 17.7L39.5 20L37 22.3L38.6 28.4L32.5 30.2L30.7 36.3L24.6 34.7L20 39L15.4 34.7L9.3 36.3L7.5 30.2L1.4 28.4L3 22.3L.5 20L3 17.7L1.4 11.6L7.5 9.8L9.3 3.7L15.4 5.3Z";
  return drawing("0 0 40 40", `<path d="${star}" class="sl"/><path d="M11.5 20.5L17.5 26.5L28.5 13.5" class="sc"/>`, {
    kind: "seal",
    width: size,
    height: size,
  });
}

function octagon(w, t, corner, inset) {
  const d = corner - inset * (2 - Math.SQRT2);
  const i = inset;
  return [
    [i + d, i], [w - i - d, i], [w - i, i + d], [w - i, t - i - d],
    [w - i - d, t - i], [i + d, t - i], [i, t - i - d], [i, i + d],
  ];
}

const points = (corners) => corners.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");

function teeth(corners, step, tall) {
  return corners
    .map(([x1, y1], at) => {
      const [x2, y2] = corners[(at + 1) % corners.length];
      const long = Math.hypot(x2 - x1, y2 - y1);
      const [ux, uy] = [(x2 - x1) / long, (y2 - y1) / long];
      const many = Math.max(1, Math.round(long / step));
      const s = long / many;
      return [...Array(many).keys()]
        .map((j) => {
          const [bx, by] = [x1 + ux * s * j, y1 + uy * s * j];
          const tip = [bx + (ux * s) / 2 - uy * tall, by + (uy * s) / 2 + ux * tall];
          return `M${bx.toFixed(1)} ${by.toFixed(1)}L${(bx + ux * s).toFixed(1)} ${(by + uy * s).toFixed(1)}L${tip[0].toFixed(1)} ${tip[1].toFixed(1)}Z`;
        })
        .join("");
    })
    .join("");
}

function rosette(cx, cy, r) {
  const turns = [0, 45, 90, 135, 180, 225, 270, 315];
  const leaf = "M0 0C-30 -12 -34 -50 0 -100C34 -50 30 -12 0 0Z";
  const leaves = turns.map((a) => `<path d="${leaf}" transform="rotate(${a})"/>`).join("");
  const gems = turns.map((a) => `<path d="M0 -112L9 -102L0 -92L-9 -102Z" transform="rotate(${a + 22.5})"/>`).join("");
  return `<g transform="translate(${cx} ${cy}) scale(${(r / 112).toFixed(2)})" class="rose">${leaves}${gems}<circle r="34" class="felt"/></g>`;
}

/** The inlaid table, as wide and tall as the place that it stands in. */
export function tableTop(w, t) {
  const small = Math.min(w, t) < 420;
  const [corner, rim, strip, step] = small ? [38, 9, 6, 11] : [70, 18, 9, 16];
  const grain = [0, 1, 2, 3]
    .map((i) => `<polygon points="${points(octagon(w, t, corner, 2 + (i * rim) / 5))}" class="grain" stroke-dasharray="${90 + i * 37} ${14 + i * 9} ${40 + i * 11} ${7 + i * 5}"/>`)
    .join("");
  return drawing(
    `0 0 ${w} ${t}`,
    `<polygon points="${points(octagon(w, t, corner, 0))}" class="wood"/>${grain}` +
      `<polygon points="${points(octagon(w, t, corner, rim))}" class="felt2"/>` +
      `<path d="${teeth(octagon(w, t, corner, rim), step, strip)}" class="inlay"/>` +
      `<polygon points="${points(octagon(w, t, corner, rim + strip + 5))}" class="felt"/>` +
      `<polygon points="${points(octagon(w, t, corner, rim + strip + 15))}" class="line"/>` +
      rosette(w / 2, t / 2, Math.min(w, t) * 0.37),
    { kind: "top", width: w, height: t },
  );
}

/** The tiled floor behind everything. */
export function floor() {
  const tile =
    "M32 32C12 32 6 20 6 6C20 6 32 12 32 32ZM32 32C52 32 58 44 58 58C44 58 32 52 32 32ZM32 32C32 12 44 6 58 6C58 20 52 32 32 32ZM32 32C32 52 20 58 6 58C6 44 12 32 32 32ZM32 -8L40 0L32 8L24 0ZM32 56L40 64L32 72L24 64ZM-8 32L0 24L8 32L0 40ZM56 32L64 24L72 32L64 40Z";
  const made = drawing(
    "0 0 64 64",
    `<defs>${BACK_PATTERN}<pattern id="floor" width="64" height="64" patternUnits="userSpaceOnUse"><path d="${tile}" class="tile"/></pattern></defs><rect width="100%" height="100%" fill="url(#floor)"/>`,
    { kind: "floor" },
  );
  made.removeAttribute("viewBox");
  return made;
}

/** The ragged star behind a shout. */
export function burst() {
  const many = 44;
  const edge = [...Array(many).keys()].map((i) => {
    const a = (2 * Math.PI * i) / many;
    const r = i % 2 ? 0.86 + 0.05 * Math.sin(i * 7) : 1 + 0.03 * Math.cos(i * 5);
    return `${(300 + 290 * r * Math.cos(a)).toFixed(1)},${(120 + 112 * r * Math.sin(a)).toFixed(1)}`;
  });
  return drawing("0 0 600 240", `<polygon class="dark" points="${edge.join(" ")}" transform="translate(6 8)"/><polygon points="${edge.join(" ")}"/>`, {
    kind: "burst",
  });
}

export function logo(height = 22) {
  return h("span", { class: "logo", role: "img", "aria-label": "p2ptruco" }, letters("P2P", height, { kind: "p" }), letters("TRUCO", height, { kind: "t" }));
}

/** The score, hand by hand: a line for each team, calls as columns. `hands` as in front.md, `pair` ours first. */
export function course(hands, pair, side, { width = 560, height = 190, target = 12, plain = false } = {}) {
  const [left, right, below, above] = plain ? [2, 2, 4, 4] : [34, 16, 26, 30];
  const n = Math.max(hands.length, 1);
  const [sx, sy] = [(width - left - right) / n, (height - below - above) / target];
  const X = (i) => left + i * sx;
  const Y = (v) => height - below - Math.min(v, target) * sy;
  let grid = "";
  if (!plain) {
    for (let v = 0; v <= target; v += target > 12 ? 3 : 2) {
      grid += `<path d="M${left} ${Y(v).toFixed(1)}H${width - right}" class="g"/><text x="${left - 9}" y="${(Y(v) + 4.5).toFixed(1)}" text-anchor="end">${v}</text>`;
    }
  }
  let [before, lines] = [[0, 0], [`M${X(0)} ${Y(0)}`, `M${X(0)} ${Y(0)}`]];
  let [dots, columns] = ["", ""];
  hands.forEach((hand, i) => {
    const now = pair(hand.score);
    const x = X(i) + sx / 2;
    if (!plain && hand.shouts.length) {
      columns += `<rect x="${(X(i) + 1.5).toFixed(1)}" y="${Y(target).toFixed(1)}" width="${Math.max(sx - 3, 1).toFixed(1)}" height="${(target * sy).toFixed(1)}" class="column"/>`;
      if (sx > 26) columns += `<text x="${x.toFixed(1)}" y="${(Y(target) - 9).toFixed(1)}" text-anchor="middle" class="shouted">${hand.shouts[hand.shouts.length - 1].word}</text>`;
    }
    now.forEach((value, team) => {
      lines[team] += `H${x.toFixed(1)}V${Y(value).toFixed(1)}H${X(i + 1).toFixed(1)}`;
    });
    if (!plain) {
      const won = side(hand.winner);
      if (won === "us") dots += `<path class="ours" d="M${x.toFixed(1)} ${(Y(now[0]) - 6.5).toFixed(1)}l6.5 6.5l-6.5 6.5l-6.5 -6.5Z"/>`;
      if (won === "them") dots += `<circle class="theirs" cx="${x.toFixed(1)}" cy="${Y(now[1]).toFixed(1)}" r="5.2"/>`;
      dots += `<text x="${x.toFixed(1)}" y="${height - below + 17}" text-anchor="middle">${hand.number}</text>`;
    }
    before = now;
  });
  return drawing(`0 0 ${width} ${height}`, `${grid}${columns}<path d="${lines[1]}" class="them"/><path d="${lines[0]}" class="us"/>${dots}`, {
    kind: `course ${plain ? "plain" : ""}`,
    name: _("The score, hand by hand: {ours} to {theirs}", { ours: before[0], theirs: before[1] }),
  });
}
