// Elements, made without a framework.
//
// 1. Text is always a text node: what a player says or is called never becomes markup.
// 2. `drawing` takes markup of ours alone: the constants of `draw/`.

/** An element. `on…` attributes are listeners, `true` is an empty attribute, null and false none. */
export function h(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) set(made, name, value);
  made.append(...children.flat(Infinity).filter((one) => one !== null && one !== undefined && one !== false));
  return made;
}

function set(made, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
  else if (name === "place") Object.entries(value).forEach(([key, one]) => made.style.setProperty(key, one));
  else made.setAttribute(name, value === true ? "" : String(value));
}

/** A drawing of ours as an SVG element; with a name it is a picture, without one an ornament. */
export function drawing(box, markup, { kind = "", name = "", width, height } = {}) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  made.setAttribute("viewBox", box);
  if (kind) made.setAttribute("class", kind);
  if (width) made.setAttribute("width", width);
  if (height) made.setAttribute("height", height);
  if (name) {
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", name);
  } else {
    made.setAttribute("aria-hidden", "true");
  }
  made.innerHTML = markup;
  return made;
}

/** Put other children in the place of those that are there. What would look the same stays, so that
 * nobody loses the button under the finger; the element of the same key keeps the focus. */
export function fill(parent, ...children) {
  const wanted = children.flat(Infinity).filter(Boolean).map((child) => (child instanceof Node ? child : document.createTextNode(String(child))));
  const held = document.activeElement;
  const key = parent.contains(held) ? held.dataset.key : undefined;
  wanted.forEach((child, at) => {
    const old = parent.childNodes[at];
    if (!old) parent.append(child);
    else if (!old.isEqualNode(child)) merge(old, child);
  });
  while (parent.childNodes.length > wanted.length) parent.lastChild.remove();
  if (key !== undefined && document.activeElement !== held) {
    const again = [...parent.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);
    if (again) again.focus({ preventScroll: true });
  }
}

/** Make an element another one: inside a plain box only what differs is replaced. */
function merge(old, wanted) {
  const box = (node) => node.nodeType === 1 && ["DIV", "SECTION", "OL", "UL"].includes(node.tagName) && !node.hasAttribute("id");
  const alike = box(old) && box(wanted) && old.tagName === wanted.tagName;
  if (!alike || !old.cloneNode(false).isEqualNode(wanted.cloneNode(false))) old.replaceWith(wanted);
  else fill(old, ...wanted.childNodes);
}

export const one = (selector) => document.querySelector(selector);
