// Clean text (table.md §2), by the list of protocol/characters.txt and nothing else.

import list from "#characters";
import { bytesOf } from "./bytes.mjs";

const MARKS = 2; // on one character

// [first, last, kind, late], ascending.
const RANGES = list.split("\n").filter((line) => line && !line.startsWith("#")).map((line) => {
  const [span, kind, late] = line.split(" ");
  const [first, last] = span.split("-").map((number) => parseInt(number, 16));
  return { first, last, kind, late: late === "late" };
});

function of(character) {
  const code = character.codePointAt(0);
  let low = 0;
  let high = RANGES.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (RANGES[middle].last < code) low = middle + 1;
    else high = middle;
  }
  const range = RANGES[low];
  return range && range.first <= code ? range : null;
}

const kind = (character) => of(character)?.kind;

/** NFC of the stretches between late characters. */
function composed(text) {
  let done = "";
  let stretch = "";
  for (const character of text) {
    if (of(character)?.late) {
      done += stretch.normalize("NFC") + character;
      stretch = "";
    } else stretch += character;
  }
  return done + stretch.normalize("NFC");
}

function once(text, bytes, characters) {
  let kept = "";
  for (const character of text) if (kind(character)) kept += kind(character) === "blank" ? " " : character;
  kept = composed(kept);

  let thinned = "";
  let last = " "; // a blank, or whatever marks stand on
  let marks = 0;
  for (const character of kept) {
    if (kind(character) === "mark") {
      marks += 1;
      if (last === " " || marks > MARKS) continue;
    } else {
      if (character === " " && last === " ") continue;
      last = character;
      marks = 0;
    }
    thinned += character;
  }
  thinned = trimmed(thinned);

  let cut = "";
  let shown = 0;
  let size = 0;
  for (const character of thinned) {
    shown += kind(character) === "mark" ? 0 : 1;
    size += bytesOf(character).length;
    if (shown > characters || size > bytes) break;
    cut += character;
  }
  return trimmed(composed(cut));
}

const trimmed = (text) => text.replace(/^ +| +$/g, "");

/** What is left of `text`; a name has 64 bytes of UTF-8 and 24 characters, talk 512 and 200. */
export function clean(text, bytes = 64, characters = 24) {
  for (let rest = text; ; text = rest) {
    rest = once(text, bytes, characters);
    if (rest === text) return rest;
  }
}

export const isClean = (text) => text !== "" && clean(text) === text;
