// Suits, pips and courts of the cards: shapes in a box of 100 × 100, courts of 100 × 140.
export const SUITS = {
  c: "M50 3C62 3 71 12 71 24C71 31 68 36 64 40C67 38 70 37 74 37C86 37 95 46 95 58C95 70 86 79 74 79C66 79 59 75 55 69C56 84 60 92 68 98H32C40 92 44 84 45 69C41 75 34 79 26 79C14 79 5 70 5 58C5 46 14 37 26 37C30 37 33 38 36 40C32 36 29 31 29 24C29 12 38 3 50 3Z",
  h: "M50 94C40 80 6 58 6 32C6 14 19 5 31 5C41 5 47 11 50 19C53 11 59 5 69 5C81 5 94 14 94 32C94 58 60 80 50 94Z",
  s: "M50 3C60 22 93 42 93 64C93 78 83 86 72 86C64 86 58 82 55 77C56 87 60 93 68 98H32C40 93 44 87 45 77C42 82 36 86 28 86C17 86 7 78 7 64C7 42 40 22 50 3Z",
  d: "M50 2C58 20 72 37 90 50C72 63 58 80 50 98C42 80 28 63 10 50C28 37 42 20 50 2Z",
};
export const SHINE = {
  c: "M40 20C41 15 45 12 50 13",
  h: "M22 26C24 20 29 17 34 19",
  s: "M22 62C23 54 30 47 37 40",
  d: "M50 22C46 32 39 41 31 48",
};
// x, y and width of each pip.
export const PIPS = {
  "A": [[50, 70, 52]],
  "2": [[50, 38, 27], [50, 102, 27]],
  "3": [[50, 34, 24], [50, 70, 24], [50, 106, 24]],
  "4": [[38, 42, 23], [62, 42, 23], [38, 98, 23], [62, 98, 23]],
  "5": [[37, 38, 22], [63, 38, 22], [50, 70, 22], [37, 102, 22], [63, 102, 22]],
  "6": [[37.5, 36, 21], [62.5, 36, 21], [37.5, 70, 21], [62.5, 70, 21], [37.5, 104, 21], [62.5, 104, 21]],
  "7": [[37.5, 36, 20], [62.5, 36, 20], [50, 53, 20], [37.5, 70, 20], [62.5, 70, 20], [37.5, 104, 20], [62.5, 104, 20]],
};
// Half a court, drawn twice.
export const COURTS = {
  Q: "<path d=\"M31 62C27 40 32 20 50 20C68 20 73 40 69 62L60 66H40Z\" fill=\"#1d1714\"/><path d=\"M34 54C32 44 34 32 41 27M66 54C68 44 67 36 64 31\" stroke=\"#f6dfc0\" stroke-width=\"1.3\" fill=\"none\"/><path d=\"M22 70L31 60L44 57H56L69 60L78 70Z\" class=\"su\"/><path d=\"M44 52H56V58L50 65L44 58Z\" fill=\"#f6dfc0\"/><path d=\"M39 35C43 34 47 31 50 28C53 31 57 34 61 35V44C61 51 55 56 50 56C45 56 39 51 39 44Z\" fill=\"#f6dfc0\" stroke=\"#1d1714\" stroke-width=\"1.6\"/><path d=\"M42 41H46.5M53.5 41H58\" stroke=\"#1d1714\" stroke-width=\"2.2\"/><path d=\"M50 41V46\" stroke=\"#1d1714\" stroke-width=\"1.4\"/><path d=\"M46.5 50.5H53.5\" stroke=\"#b92a1e\" stroke-width=\"2.4\"/><g transform=\"translate(65 27)\"><g fill=\"#e2a72e\" stroke=\"#1d1714\" stroke-width=\"1\"><circle cx=\"0\" cy=\"-5\" r=\"4\"/><circle cx=\"4.8\" cy=\"-1.5\" r=\"4\"/><circle cx=\"3\" cy=\"4\" r=\"4\"/><circle cx=\"-3\" cy=\"4\" r=\"4\"/><circle cx=\"-4.8\" cy=\"-1.5\" r=\"4\"/></g><circle r=\"3\" class=\"su\"/></g><circle cx=\"37\" cy=\"50\" r=\"2.2\" fill=\"#e2a72e\"/><circle cx=\"63\" cy=\"50\" r=\"2.2\" fill=\"#e2a72e\"/><path d=\"M40 63C46 70 54 70 60 63\" stroke=\"#e2a72e\" stroke-width=\"2.2\" stroke-dasharray=\"2.2 1.6\" fill=\"none\"/>",
  J: "<path d=\"M22 70L31 58L44 55H56L69 58L78 70Z\" class=\"su\"/><path d=\"M38 57L50 70L62 57L56 54H44Z\" fill=\"#e2a72e\" stroke=\"#1d1714\" stroke-width=\"1.6\"/><path d=\"M46 61L50 66L54 61\" stroke=\"#1d1714\" stroke-width=\"1.3\" fill=\"none\"/><path d=\"M38 34H62V46C62 52 56 57 50 57C44 57 38 52 38 46Z\" fill=\"#f6dfc0\" stroke=\"#1d1714\" stroke-width=\"1.8\"/><path d=\"M38 36V46L41 42V36ZM62 36V46L59 42V36Z\" fill=\"#1d1714\"/><path d=\"M42 41H47M53 41H58\" stroke=\"#1d1714\" stroke-width=\"2.3\"/><path d=\"M50 41V46\" stroke=\"#1d1714\" stroke-width=\"1.5\"/><path d=\"M45 50L50 49L55 50\" stroke=\"#1d1714\" stroke-width=\"2.4\" fill=\"none\"/><path d=\"M25 36C34 31 66 31 75 36C66 39 34 39 25 36Z\" fill=\"#e2a72e\" stroke=\"#1d1714\" stroke-width=\"1.8\"/><path d=\"M36 33L39 19C46 22 54 22 61 19L64 33C56 31 44 31 36 33Z\" fill=\"#e2a72e\" stroke=\"#1d1714\" stroke-width=\"1.8\"/><path d=\"M37 30C46 27 54 27 63 30\" class=\"sus\" stroke-width=\"4\" fill=\"none\"/>",
  K: "<path d=\"M22 70L30 57L43 53H57L70 57L78 70Z\" class=\"su\"/><path d=\"M45 70L50 55L55 70Z\" fill=\"#e2a72e\"/><path d=\"M37 34H63V48L50 58L37 48Z\" fill=\"#f6dfc0\" stroke=\"#1d1714\" stroke-width=\"2\"/><path d=\"M37 43L44 46L50 44L56 46L63 43V50L56 62L50 66L44 62L37 50Z\" fill=\"#1d1714\"/><path d=\"M45 51L47 60M50 50V63M55 51L53 60\" stroke=\"#f6dfc0\" stroke-width=\"1.2\"/><path d=\"M36 34L33 19L42 27L50 16L58 27L67 19L64 34Z\" fill=\"#e2a72e\" stroke=\"#1d1714\" stroke-width=\"2\"/><path d=\"M37 31H63\" stroke=\"#1d1714\" stroke-width=\"2\"/><circle cx=\"50\" cy=\"26\" r=\"2.2\" class=\"su\"/><path d=\"M41 39H46M54 39H59\" stroke=\"#1d1714\" stroke-width=\"2.4\"/><path d=\"M50 38V43\" stroke=\"#1d1714\" stroke-width=\"1.6\"/><path d=\"M31 70L36 58M69 70L64 58\" stroke=\"#f6dfc0\" stroke-width=\"1.6\"/>",
};
