// The vectors of protocol/vectors: each with what to run, { found, wanted }.

import { readFileSync, readdirSync, statSync } from "node:fs";
import { CHECKS } from "./checks.mjs";

const ROOT = new URL("../../../protocol/vectors/", import.meta.url);

export function all() {
  return readdirSync(ROOT).sort().flatMap((folder) => {
    const here = new URL(`${folder}/`, ROOT);
    return readdirSync(here).sort().filter((file) => file.endsWith(".json")).map((file) => {
      const vector = JSON.parse(readFileSync(new URL(file, here), "utf8"));
      const from = vector.given?.file ? new URL(vector.given.file, here) : new URL(file, here);
      return {
        folder, name: `${folder}/${file}: ${vector.about}`, size: statSync(from).size, run: () => outcome(vector, here),
      };
    });
  });
}

function outcome(vector, folder) {
  const check = CHECKS[vector.check];
  if (!check) throw new Error(`no check ${vector.check}`);
  const said = check(vector, folder);
  const { expect, gives, hand, step, seat } = vector;
  const wanted = { expect };
  const found = { expect: said.expect };
  for (const [key, value] of Object.entries({ gives, hand, step, seat })) {
    if (value === undefined) continue;
    wanted[key] = value;
    found[key] = said[key];
  }
  if (gives === undefined && said.gives !== undefined && expect !== "accepted") found.gives = said.gives;
  return { found, wanted };
}
