// The page's words in the language spoken. The server finds the texts that are marked.

const BEHIND = "en";
let spoken = BEHIND;
let table = {};

/** Load a language; the page then says everything in it. */
export async function speak(language) {
  const answer = await fetch(`/words/${language}.json`);
  if (answer.ok) table = await answer.json();
  spoken = language;
  document.documentElement.lang = language;
}

export const language = () => spoken;

/** A text in the language spoken, with what stands in its braces. */
export function _(text, about = {}) {
  const said = table[text] || text;
  return said.replace(/\{(\w+)\}/g, (whole, name) => (name in about ? String(about[name]) : whole));
}

/** One of two forms, by a number, which stands in for {n}. */
export function ngettext(one, many, n, about = {}) {
  return _(n === 1 ? one : many, { n, ...about });
}
