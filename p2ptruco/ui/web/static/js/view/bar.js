// The bar at the top: where one is, what was verified, language, sound, settings.

import { fill, h, one } from "../dom.js";
import { icon, logo, seal } from "../draw/draw.js";
import { prefer, settings, wear } from "../settings.js";
import { sound } from "../sound.js";
import { _, language } from "../words.js";

/** `speakOther` changes the language; `badge` opens what was verified, where there is something. */
export function bar({ what, badge = null, openBadge = null, home = null, leave = null, speakOther, again }) {
  const light = wear();
  const change = (changed) => () => {
    prefer(changed);
    if (changed.sound) sound("turn");
    again();
  };
  fill(
    one("#bar"),
    home ? h("a", { href: "/", class: "home", "aria-label": _("Start page") }, logo()) : logo(),
    h("span", { class: "what" }, what),
    h("span", { class: "gap" }),
    badge &&
      h("button", { class: "badge", "data-key": "badge", onclick: openBadge }, seal(26), h("span", {}, badge)),
    h(
      "span",
      { class: "languages", role: "group", "aria-label": _("Language") },
      ["pt-BR", "en"].map((one) =>
        h(
          "button",
          { "data-key": one, lang: one, "aria-pressed": String(language() === one), onclick: () => speakOther(one), title: one === "en" ? "English" : "Português" },
          one === "en" ? "EN" : "PT",
        ),
      ),
    ),
    h("button", { class: "tool", "data-key": "sound", "aria-pressed": String(settings.sound), "aria-label": _("Sound"), title: _("Sound"), onclick: change({ sound: !settings.sound }) }, icon(settings.sound ? "talk" : "sound")),
    h(
      "details",
      { class: "menu" },
      h("summary", { class: "tool", "data-key": "settings", "aria-label": _("Settings"), title: _("Settings") }, icon("gear")),
      h(
        "div",
        { class: "sheet" },
        choice(_("Light felt"), light, change({ light: !light })),
        choice(_("Four colours of suits"), settings.four, change({ four: !settings.four })),
        leave && h("button", { class: "button", "data-key": "leave", onclick: leave }, icon("door"), h("b", {}, _("Leave the table"))),
      ),
    ),
  );
}

function choice(text, on, change) {
  return h("button", { class: "switch", role: "switch", "aria-checked": String(on), "data-key": text, onclick: change }, h("i", {}), text);
}
