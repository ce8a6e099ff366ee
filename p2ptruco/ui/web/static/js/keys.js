// Every action has a key; the letters stand on the buttons.

const WORDS = { t: "call", s: "call", n: "call", d: "call", a: "accept", c: "run", f: "fold", j: "play", r: "refuse" };

/** `press(key)` acts on a button or a card by its `data-key`. */
export function listen({ press, escape, skip }) {
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape") {
      escape();
      return;
    }
    if (event.target.closest("input, select, textarea")) return;
    const key = event.key.toLowerCase();
    if (/^[1-3]$/.test(key) || /^Digit[1-3]$/.test(event.code)) press({ card: Number(event.code.slice(-1)) || Number(key), down: event.shiftKey });
    else if (key === "x") press({ key: "cover" });
    else if (key in WORDS) press({ key: WORDS[key] });
    else if (key === "/") press({ key: "talk" });
    else if (key === " " && !event.target.closest("button, a, summary")) skip();
    else return;
    event.preventDefault();
  });
}
