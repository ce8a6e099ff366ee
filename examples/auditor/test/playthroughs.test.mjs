// Every hand of protocol/playthroughs against the outcome in its comments (rules.md §10).

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { judge } from "../src/notation.mjs";

const ROOT = new URL("../../../protocol/playthroughs/", import.meta.url);
const none = (value) => (value === null ? "none" : String(value));
const many = (list) => (list.length ? list.join(" ") : "none");

const KEYS = {
  tricks: ({ tricks }) => many(tricks.map(({ winner }) => winner ?? "=")),
  leads: ({ tricks }) => many(tricks.map(({ lead }) => lead)),
  table: ({ table }) => many(table.flat()),
  legal: ({ legal }) => many(legal),
  to_act: ({ to_act: seats }) => many(seats),
  value: ({ value }) => none(value),
  kind: ({ kind }) => none(kind),
  match: ({ match }) => none(match),
  pending: ({ pending }) => (pending ? `${pending.call} ${pending.by} ${pending.points}` : "none"),
  result: ({ result }) => (result ? `${none(result.winner)} ${result.points} ${result.how}` : "none"),
  score: ({ score }) => `${score.A} ${score.B}`,
  illegal: ({ illegal }) => (illegal ? `${illegal.line ?? "-"} ${illegal.move ?? "-"} ${illegal.code}` : "none"),
};

for (const file of readdirSync(ROOT).sort()) {
  const bytes = readFileSync(new URL(file, ROOT));
  const lines = bytes.toString("utf8").split("\n").map((line) => line.match(/^# ([a-z_]+): (.*?)\r?$/)).filter(Boolean);
  test(`${file}: ${bytes.toString("utf8").split("\n")[0].slice(2)}`, () => {
    const answer = judge(bytes);
    const wanted = Object.fromEntries(lines.map(([, key, value]) => [key, value]));
    wanted.illegal ??= "none";
    const found = Object.fromEntries(Object.keys(wanted).map((key) => [key, KEYS[key](answer)]));
    assert.deepEqual(found, wanted);
  });
}
