// Matches between peer.mjs and `p2ptruco host`, by themselves: `node test/matches.mjs [HOW MANY]`.
// Each must end, give the same record on both sides, and be verified by both programs.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Face, P2PTRUCO } from "../../../tests/front/face.mjs";
import { audit } from "../src/record.mjs";
import { report } from "../src/report.mjs";

const PEER = fileURLToPath(new URL("../peer.mjs", import.meta.url));
const RULES = ["mineiro", "mineiro-escala-longa", "mano-a-mano", "mineiro-dealer", "paulista", "mineiro best_of=3 target=12"];
const any = (list) => list[Math.floor(Math.random() * list.length)];

const answer = (_, { question, choices }) => {
  if (question === "another") return "no";
  // A choice that loses the match is asked for twice (front.md); a match goes on longer without it.
  const kept = (choices ?? []).filter((choice) => !choice.loses_match);
  return kept.length ? any(kept).key : undefined;
};

/** One match: { rules, same, ours, theirs }, or what failed. */
export async function match(rules) {
  const folder = mkdtempSync(join(tmpdir(), "p2ptruco-"));
  const [mine, other] = [join(folder, "host.trec"), join(folder, "peer.trec")];
  const words = ["host", "--seats", "2", "--variant", rules, "--time", "0", "--name", "Ana", "--private", "--record", mine];
  const host = new Face(join(folder, "home"), words, answer);
  try {
    const { ticket } = await host.next({ event: "invitation" }, 0);
    const peer = spawn(process.execPath, [PEER, ticket, other], { stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    peer.stdout.on("data", (some) => { said += some; });
    const left = new Promise((done) => { peer.on("close", done); });
    const allReady = (chairs) => chairs?.every((chair) => chair !== null && (chair.ready || chair.player === "Ana"));
    await host.next({ event: "lobby", chairs: allReady }, 0);
    host.say("start");
    const code = await left;
    if (code !== 0) return { rules, failed: said };
    await host.next({ event: "ended" }, 0);
    host.say("quit");
    const found = await written(mine, readFileSync(other));
    const verdict = spawnSync(P2PTRUCO, ["verify", "--json", mine], { encoding: "utf8" });
    const ours = JSON.parse(verdict.stdout);
    const theirs = report(audit(found));
    return { rules, same: found.equals(readFileSync(other)), ours, theirs };
  } finally {
    host.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The host's record, once it is as long as the other's, or after a while. */
async function written(file, other) {
  for (let tries = 0; tries < 100; tries += 1) {
    const found = read(file);
    if (found.length >= other.length) return found;
    await new Promise((done) => { setTimeout(done, 100); });
  }
  return read(file);
}

function read(file) {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}

export const rulesOf = (number) => RULES[number % RULES.length];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const many = Number(process.argv[2] ?? 20);
  let good = 0;
  for (let number = 0; number < many; number += 1) {
    const { rules, same, ours, theirs, failed } = await match(rulesOf(number));
    const fine = !failed && same && ours.status === "complete" && theirs.status === "complete";
    good += fine ? 1 : 0;
    console.log(`${number + 1} ${rules}: ${failed ?? `${ours.status}, ${theirs.status}, ${ours.hands} hands, ${same ? "the same record" : "two records"}`}`);
  }
  console.log(`${good} of ${many}`);
  process.exitCode = good === many ? 0 : 1;
}
