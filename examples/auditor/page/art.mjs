// Letters, suits and cards, drawn here: nothing is fetched.

// Centre lines in a box of 100 high, stroke 20: [width, path].
const GLYPHS = {
  0: [60, "M23 10H37L50 23V77L37 90H23L10 77V23Z"], 2: [60, "M10 36V24L23 10H37L50 24V41L10 84V90H57"],
  3: [60, "M10 32V23L23 10H37L50 23V38L39 49H24M39 49L50 60V77L37 90H23L10 77V68"],
  4: [62, "M41 100V0M34 4L10 60V69H60"], 5: [60, "M54 10H12V46H37L50 59V77L37 90H23L10 77V68"],
  6: [60, "M50 32V23L37 10H23L10 23V77L23 90H37L50 77V60L37 47H10"], 7: [58, "M4 10H48V25L25 66V100"],
  A: [62, "M10 100V30L24 10H38L52 30V100M10 64H52"], J: [58, "M48 0V77L35 90H23L10 77V62"],
  Q: [62, "M23 10H37L50 23V77L37 90H23L10 77V23ZM31 64L58 102"], K: [64, "M10 0V100M56 -2L23 50L58 102"],
  T: [60, "M0 10H60M30 10V100"], R: [62, "M10 100V10H38L50 22V43L38 55H10M33 55L53 101"],
  U: [60, "M10 0V77L23 90H37L50 77V0"], C: [60, "M50 36V23L37 10H23L10 23V77L23 90H37L50 77V64"],
  O: [60, "M23 10H37L50 23V77L37 90H23L10 77V23Z"], P: [60, "M10 100V10H37L50 23V45L37 58H10"],
};
const SUITS = {
  h: "M50 94C40 80 6 58 6 32C6 14 19 5 31 5C41 5 47 11 50 19C53 11 59 5 69 5C81 5 94 14 94 32C94 58 60 80 50 94Z",
  d: "M50 2C58 20 72 37 90 50C72 63 58 80 50 98C42 80 28 63 10 50C28 37 42 20 50 2Z",
  s: "M50 3C60 22 93 42 93 64C93 78 83 86 72 86C64 86 58 82 55 77C56 87 60 93 68 98H32C40 93 44 87 45 77C42 82 36 86 28 86C17 86 7 78 7 64C7 42 40 22 50 3Z",
  c: "M50 3C62 3 71 12 71 24C71 31 68 36 64 40C67 38 70 37 74 37C86 37 95 46 95 58C95 70 86 79 74 79C66 79 59 75 55 69C56 84 60 92 68 98H32C40 92 44 84 45 69C41 75 34 79 26 79C14 79 5 70 5 58C5 46 14 37 26 37C30 37 33 38 36 40C32 36 29 31 29 24C29 12 38 3 50 3Z",
};
const LEAF = '<path d="M8 8C3 8 1.5 5 1.5 1.5C5 1.5 8 3 8 8ZM8 8C13 8 14.5 11 14.5 14.5C11 14.5 8 13 8 8Z"/>';
const BACK = `<rect class="back" x="9" y="9" width="82" height="122" rx="3"/><g transform="translate(13 33) scale(4.6)"><g class="leaf">${LEAF}</g><g class="leaf other" transform="rotate(90 8 8)">${LEAF}</g></g>`;
const CHECK = "M11.5 20.5L17.5 26.5L28.5 13.5";
const CROSS = "M13 13L27 27M27 13L13 27";
const STAR = "M20 1L24.6 5.3L30.7 3.7L32.5 9.8L38.6 11.6L37 17.7L39.5 20L37 22.3L38.6 28.4L32.5 30.2L30.7 36.3L24.6 34.7L20 39L15.4 34.7L9.3 36.3L7.5 30.2L1.4 28.4L3 22.3L.5 20L3 17.7L1.4 11.6L7.5 9.8L9.3 3.7L15.4 5.3Z";

export function letters(text) {
  let x = 0;
  const paths = [...text].map((letter) => {
    const [width, path] = GLYPHS[letter];
    x += width + 10;
    return `<path transform="translate(${x - width - 10} 0)" d="${path}"/>`;
  });
  return `<svg class="letters" viewBox="-2 -2 ${x - 6} 104" aria-hidden="true">${paths.join("")}</svg>`;
}

/** A card as a picture: `name` is what it is called aloud, `manilha` its strength from 1, or null. */
export function card(face, name, manilha = null) {
  const hidden = face === "x";
  const inside = hidden ? BACK
    : `<path class="glyph" transform="translate(14 14) scale(.56)" d="${GLYPHS[face[0]][1]}"/>`
      + `<path transform="translate(35 72) scale(.58)" d="${SUITS[face[1]]}"/>`;
  const kind = hidden ? "" : ` suit-${face[1]}${manilha === null ? "" : " manilha"}`;
  return `<svg class="card${kind}" viewBox="0 0 100 140" role="img" aria-label="${name}">`
    + `<rect class="paper" x=".5" y=".5" width="99" height="139" rx="11"/>${inside}</svg>`;
}

export const mark = (good) =>
  `<svg class="seal ${good ? "good" : "bad"}" viewBox="0 0 40 40" aria-hidden="true"><path class="star" d="${STAR}"/><path class="tick" d="${good ? CHECK : CROSS}"/></svg>`;

export const shape = (team) =>
  `<svg class="shape team-${team}" viewBox="0 0 20 20" aria-hidden="true">${team === 0 ? '<path d="M10 0L20 10L10 20L0 10Z"/>' : '<circle cx="10" cy="10" r="8.5"/>'}</svg>`;

/** The score's course, a step line a team; `courses` are [[A, B], …] from before the first hand on. */
export function course(courses, target, name) {
  const wide = 640;
  const high = 120;
  const x = (i) => 14 + (i * (wide - 28)) / Math.max(1, courses.length - 1);
  const y = (points) => high - 12 - (points * (high - 24)) / target;
  const line = (team) => courses.map((score, i) =>
    (i === 0 ? `M${x(0)} ${y(score[team])}` : `H${x(i).toFixed(1)}V${y(score[team]).toFixed(1)}`)).join("");
  const gains = (team) => courses.map((score, i) => {
    if (i === 0 || score[team] === courses[i - 1][team]) return "";
    const [cx, cy] = [x(i).toFixed(1), y(score[team]).toFixed(1)];
    return team === 0 ? `<path d="M${cx} ${cy - 6}l6 6l-6 6l-6 -6Z"/>` : `<circle cx="${cx}" cy="${cy}" r="5"/>`;
  }).join("");
  const teams = [1, 0].map((team) =>
    `<g class="team-${team}"><path class="line" d="${line(team)}"/>${gains(team)}</g>`).join("");
  return `<svg class="course" viewBox="0 0 ${wide} ${high}" role="img" aria-label="${name}"><path class="grid" d="M14 ${y(0)}H${wide - 14}M14 ${y(target)}H${wide - 14}"/>${teams}</svg>`;
}
