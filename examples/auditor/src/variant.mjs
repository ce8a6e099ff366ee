// Variants (rules.md §1, §2, §7): toggles as they are written, and what they mean.

export const RANKS = "4567QJKA23";
export const SUITS = "chsd";
const FIXED = "4c,7h,As,7d";
const NOT_CALLS = ["accept", "run", "play", "refuse", "fold", "timeout", "x"];
const WORD = "[a-zß-öø-ÿ]{2,16}";
const NUMBER = "(?:0|[1-9][0-9]*)";

const SCALES = {
  "2-4-6-10-12": "2,truco:4,seis:6,dez:10,doze:12",
  "2-4-8-12": "2,truco:4,seis:8,nove:12",
  "1-3-6-9-12": "1,truco:3,seis:6,nove:9,doze:12",
};

/** Toggle by toggle: the default, and what a value means; null if it is impossible. */
const one = (...values) => [values[0], (value) => (values.includes(value) ? value : null)];
export const TOGGLES = {
  players: ["2,4,6,8", players],
  ranks: [RANKS, ranks],
  manilhas: ["fixed", manilhas],
  scale: ["2-4-6-10-12", scale],
  target: ["12", (value) => (isNumber(value) && +value >= 1 && +value <= 1000 ? +value : null)],
  all_tied: one("nobody", "dealer", "eldest"),
  partners_tie: one("trick", "tie"),
  call_in_special: one("illegal", "forfeit"),
  special_decision: one("yes", "no"),
  iron: one("blind", "open"),
  fold: one("yes", "no"),
  face_down_from: one("2", "1", "none"),
  best_of: one("1", "3"),
};

export const PRESETS = {
  mineiro: {},
  "mineiro-escala-longa": { scale: "1-3-6-9-12", partners_tie: "tie", face_down_from: "1" },
  "mano-a-mano": { players: "2", call_in_special: "forfeit", special_decision: "no", face_down_from: "1" },
  "mineiro-dealer": { all_tied: "dealer", iron: "open", face_down_from: "none" },
  paulista: { players: "2,4,6", manilhas: "vira", scale: "1-3-6-9-12" },
};

export const isNumber = (text) => new RegExp(`^${NUMBER}$`).test(text);
const distinct = (list) => new Set(list).size === list.length;

function players(value) {
  const sizes = value.split(",");
  const ascending = sizes.every((size, i) => i === 0 || +sizes[i - 1] < +size);
  return ascending && sizes.every((size) => ["2", "4", "6", "8"].includes(size)) ? sizes.map(Number) : null;
}

function ranks(value) {
  const list = [...upper(value)];
  return list.length && distinct(list) && list.every((rank) => RANKS.includes(rank)) ? list : null;
}

function manilhas(value) {
  if (value === "vira") return "vira";
  const cards = (value === "fixed" ? FIXED : value).split(",").map(cardOf);
  return cards.every((card) => card !== null) && distinct(cards) ? cards : null;
}

function scale(value) {
  const [base, ...rest] = (SCALES[value] ?? value).split(",");
  const calls = rest.map((call) => call.match(new RegExp(`^(${WORD}):(${NUMBER})$`)));
  if (!isNumber(base) || +base < 1 || calls.length === 0 || calls.includes(null)) return null;
  const made = { base: +base, calls: calls.map(([, word, points]) => ({ word, points: +points })) };
  const words = made.calls.map(({ word }) => word);
  const climbs = made.calls.every(({ points }, i) => points > (i ? made.calls[i - 1].points : made.base));
  const allowed = words.every((word) => !NOT_CALLS.includes(word) && cardOf(word) === null);
  return climbs && allowed && distinct(words) ? made : null;
}

// Letters in any case, as the pages say which (rules.md §8), and no others.
const CAPITALS = /[A-ZÀ-ÖØ-Þ]/g;
export const lower = (text) =>
  text.replace(CAPITALS, (letter) => String.fromCharCode(letter.charCodeAt(0) + 32))
    .replaceAll("Ÿ", "ÿ").replaceAll("ẞ", "ß");
const upper = (text) => text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
const PICTURES = { "♣": "c", "♥": "h", "♠": "s", "♦": "d" };

/** A card in any case, its suit as a picture too, as it is written; else null. */
export function cardOf(text) {
  const signs = [...text];
  if (signs.length !== 2) return null;
  const rank = upper(signs[0]);
  const suit = PICTURES[signs[1]] ?? lower(signs[1]);
  return RANKS.includes(rank) && SUITS.includes(suit) ? rank + suit : null;
}

function written(toggle, value, meaning) {
  if (toggle === "ranks") return meaning.join("");
  if (toggle === "manilhas") {
    return meaning === "vira" ? "vira" : meaning.join(",") === FIXED ? "fixed" : meaning.join(",");
  }
  if (toggle === "scale") {
    const text = [meaning.base, ...meaning.calls.map(({ word, points }) => `${word}:${points}`)].join(",");
    return Object.keys(SCALES).find((name) => SCALES[name] === text) ?? text;
  }
  return value;
}

/**
 * The variant of a name and toggles by value, the rest by default; null where one is impossible or
 * they are together. `toggles` holds all of them as the notation writes them.
 */
export function variantOf(name, given) {
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(name) || name.length > 40) return null;
  const made = { name, toggles: {} };
  for (const [toggle, [byDefault, read]] of Object.entries(TOGGLES)) {
    const value = given[toggle] ?? byDefault;
    const meaning = [...value].length <= 256 ? read(value) : null;
    if (meaning === null) return null;
    made.toggles[toggle] = written(toggle, value, meaning);
    made[toggle] = meaning;
  }
  made.deck = made.ranks.flatMap((rank) => [...SUITS].map((suit) => rank + suit));
  made.vira = made.manilhas === "vira";
  const needed = 3 * Math.max(...made.players) + (made.vira ? 1 : 0);
  if (made.deck.length < needed || made.scale.calls.at(-1).points > made.target) return null;
  if (!made.vira && !made.manilhas.every((card) => made.deck.includes(card))) return null;
  return made;
}

export const presetOf = (name, changes = {}) =>
  Object.hasOwn(PRESETS, name) ? variantOf(name, { ...PRESETS[name], ...changes }) : null;

/** A variant by value: the preset with the fewest toggles that differ, then those. */
export function variantLine(variant) {
  let best = null;
  for (const name of Object.keys(PRESETS)) {
    const preset = presetOf(name).toggles;
    const differs = Object.keys(TOGGLES).filter((toggle) => preset[toggle] !== variant.toggles[toggle]);
    if (best === null || differs.length < best.differs.length) best = { name, differs };
  }
  return ["variant", best.name, ...best.differs.map((toggle) => `${toggle}=${variant.toggles[toggle]}`)].join(" ");
}
