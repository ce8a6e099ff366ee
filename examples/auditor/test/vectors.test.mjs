// Every vector of protocol/vectors: one test a file.

import assert from "node:assert/strict";
import test from "node:test";
import { all } from "./vectors.mjs";

for (const { name, run } of all()) {
  test(name, () => {
    const { found, wanted } = run();
    assert.deepEqual(found, wanted);
  });
}
