// Every vector of protocol/vectors: one test a file.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { CHECKS } from "./checks.mjs";

const ROOT = new URL("../../../protocol/vectors/", import.meta.url);

for (const folder of readdirSync(ROOT).sort()) {
  for (const file of readdirSync(new URL(`${folder}/`, ROOT)).sort()) {
    if (!file.endsWith(".json")) continue;
    const vector = JSON.parse(readFileSync(new URL(`${folder}/${file}`, ROOT), "utf8"));
    test(`${folder}/${file}: ${vector.about}`, () => {
      const check = CHECKS[vector.check];
      assert.ok(check, `no check ${vector.check}`);
      const outcome = check(vector, new URL(`${folder}/`, ROOT));
      const { expect, gives, hand, step, seat } = vector;
      const wanted = { expect, gives: undefined };
      if (gives !== undefined) wanted.gives = gives;
      for (const [key, value] of Object.entries({ hand, step, seat })) if (value !== undefined) wanted[key] = value;
      const found = { expect: outcome.expect, gives: outcome.gives };
      for (const key of ["hand", "step", "seat"]) if (key in wanted) found[key] = outcome[key];
      assert.deepEqual(found, wanted);
    });
  }
}
