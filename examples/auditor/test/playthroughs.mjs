// The hands of protocol/playthroughs: each with what to run, { found, wanted } (rules.md §10).

import { readFileSync, readdirSync } from "node:fs";
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

export function hands() {
  return readdirSync(ROOT).sort().map((file) => {
    const bytes = readFileSync(new URL(file, ROOT));
    const lines = bytes.toString("utf8").split("\n");
    const said = lines.map((line) => line.match(/^# ([a-z_]+): (.*?)\r?$/)).filter(Boolean);
    const run = () => {
      const wanted = Object.fromEntries(said.map(([, key, value]) => [key, value]));
      wanted.illegal ??= "none";
      const answer = judge(bytes);
      return { wanted, found: Object.fromEntries(Object.keys(wanted).map((key) => [key, KEYS[key](answer)])) };
    };
    return { folder: "playthroughs", name: `${file}: ${lines[0].slice(2)}`, size: bytes.length, run };
  });
}
