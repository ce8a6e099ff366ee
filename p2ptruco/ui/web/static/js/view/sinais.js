// The eight sinais, drawn; and the quick shouts.

import { drawing, h } from "../dom.js";
import { FACES } from "../draw/sinais.js";
import { prefer, settings } from "../settings.js";
import { _ } from "../words.js";
import { sinalName } from "./side.js";

const HOW = () => ({
  zap: _("winks an eye"), copas: _("raises the eyebrows"), espadilha: _("tongue in the cheek"), "pica-fumo": _("shows the tip of the tongue"),
  tres: _("lifts a shoulder"), dois: _("shows two fingers"), nada: _("closes the eyes"), truco: _("puffs the cheeks"),
});

export const face = (word, size = 72) => drawing("0 0 100 100", FACES[word][settings.head], { kind: "face", width: size, height: size });

/** A sheet with all eight; `send(word)`. */
export function sheet(send) {
  const how = HOW();
  return h(
    "div",
    { class: "sinais", role: "group", "aria-label": _("Signs, for your partner only") },
    h("p", {}, _("Only your partner sees it. It may be a lie."), " ", h("button", { class: "link", onclick: () => prefer({ head: 1 - settings.head }) }, _("another face"))),
    Object.keys(FACES).map((word) => h("button", { onclick: () => send(word) }, face(word), h("b", {}, sinalName(word)), h("small", {}, how[word]))),
  );
}

/** Lines that are said with one click. */
export const quick = () => [_("Come on!"), _("Oh, please!"), _("Weak..."), _("Take that!"), _("Good one!")];
