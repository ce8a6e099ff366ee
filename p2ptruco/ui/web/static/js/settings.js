// What a person prefers, kept in this browser only: felt, suits, sound, who is muted.

const KEY = "p2ptruco";
const FIRST = { light: null, four: false, sound: false, muted: [], head: 0 };

function read() {
  try {
    return { ...FIRST, ...JSON.parse(localStorage.getItem(KEY) || "{}") };
  } catch {
    return { ...FIRST };
  }
}

export const settings = read();

/** Change some, keep them, and show what follows from them. */
export function prefer(changed) {
  Object.assign(settings, changed);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // a browser that keeps nothing: they hold until the page is closed
  }
  wear();
}

/** Light or dark felt, four colours or two. */
export function wear() {
  const light = settings.light ?? matchMedia("(prefers-color-scheme: light)").matches;
  document.documentElement.classList.toggle("light", light);
  document.documentElement.classList.toggle("four", settings.four);
  return light;
}

/** Whether things should not move. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export const isMuted = (player) => settings.muted.includes(player);

export function mute(player) {
  const others = settings.muted.filter((one) => one !== player);
  prefer({ muted: others.length === settings.muted.length ? [...others, player] : others });
}
