// Every hand of protocol/playthroughs against the outcome in its comments.

import assert from "node:assert/strict";
import test from "node:test";
import { hands } from "./playthroughs.mjs";

for (const { name, run } of hands()) {
  test(name, () => {
    const { found, wanted } = run();
    assert.deepEqual(found, wanted);
  });
}
