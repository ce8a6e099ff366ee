// Are the vectors enough for a third implementation? `node --experimental-vm-modules
// --no-warnings test/mutants.mjs [--near] [FILE …]` changes the
// auditor in one place at a time: an absorbed item dropped, renamed or moved, a check or a part of
// one left out, a bound shifted. Each must make a vector or a playthrough fail. What may live, and
// why, stands in mutants.txt. Ends with 1 if another lives.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

const HERE = fileURLToPath(new URL("..", import.meta.url));
const AT_ONCE = 2;
const SECONDS = 120;
const NEAR = process.argv.includes("--near"); // only the folders named here: sooner, and stricter

/** File, and the folders of vectors to try first, or alone. */
const FILES = {
  "transcript.mjs": ["transcript"],
  "deal.mjs": ["keys", "tokens", "coin", "shuffle", "deal"],
  "group.mjs": ["group", "keys"],
  "pack.mjs": ["entries", "record"],
  "agreement.mjs": ["agreement", "log"],
  "entry.mjs": ["entries"],
  "sign.mjs": ["agreement"],
  "text.mjs": ["agreement"],
  "variant.mjs": ["playthroughs", "agreement"],
  "hand.mjs": ["playthroughs"],
  "notation.mjs": ["playthroughs"],
  "table.mjs": ["record", "ends"],
  "record.mjs": ["record"],
  "stands.mjs": ["ends"],
};

// Where to change, and to what: [offset, length, text]

/** The offset behind the bracket that closes the one at `open`, outside of text. */
function behind(source, open) {
  const close = { "(": ")", "[": "]", "{": "}" };
  const stack = [];
  for (let at = open; at < source.length; at += 1) {
    const sign = source[at];
    if ("\"'`".includes(sign)) {
      for (at += 1; source[at] !== sign; at += 1) if (source[at] === "\\") at += 1;
    } else if (sign === "/" && /[(,=:]\s*$/.test(source.slice(Math.max(0, at - 3), at)) && source[at + 1] !== "/") {
      for (at += 1; source[at] !== "/"; at += 1) if (source[at] === "\\") at += 1;
    } else if (close[sign]) stack.push(close[sign]);
    else if (sign === stack.at(-1)) {
      stack.pop();
      if (!stack.length) return at + 1;
    }
  }
  return -1;
}

/** The operands of a condition at its top level, by && or ||: [from, to] each with what joins. */
function operands(source, from, to) {
  const cuts = [];
  for (let at = from; at < to; at += 1) {
    if ("([{".includes(source[at])) at = behind(source, at) - 1;
    else if (source.startsWith("&&", at) || source.startsWith("||", at)) {
      cuts.push(at);
      at += 1;
    }
  }
  const edges = [from, ...cuts.flatMap((cut) => [cut, cut + 2]), to];
  return cuts.length ? edges.filter((_, i) => i % 2 === 0).map((start, i) => [start, edges[2 * i + 1]]) : [];
}

function* changes(source) {
  const bare = (from, to) => source.slice(from, to).trim();
  for (const { index } of source.matchAll(/\bif \(/g)) {
    const open = index + 3;
    const close = behind(source, open);
    yield [`if (${bare(open + 1, close - 1)}) left out`, open, close - open, "(false)"];
    for (const [from, to] of operands(source, open + 1, close - 1)) {
      const joint = source.slice(open, close).includes("&&") ? "true" : "false";
      yield [`${bare(from, to)} left out of its condition`, from, to - from, ` ${joint} `];
    }
  }
  const items = [...source.matchAll(/\[("[a-z_-]+"),/g)].map(({ index, 1: name }) => [index, behind(source, index), name]);
  for (const [i, [from, to, name]] of items.entries()) {
    if (!/^\["[a-z_-]+", (?![\s\S]*=>)/.test(source.slice(from, to)) || source.slice(from, to).includes("(value) =>")) continue;
    const comma = /^,\s*/.exec(source.slice(to))?.[0] ?? "";
    yield [`item ${name} dropped`, from, to - from + comma.length, ""];
    yield [`item ${name} renamed`, from + 1, name.length, `"other"`];
    const next = items[i + 1];
    if (comma && next?.[0] === to + comma.length) {
      const moved = source.slice(next[0], next[1]) + comma + source.slice(from, to);
      yield [`item ${name} after the next`, from, next[1] - from, moved];
    }
  }
  for (const { index, 0: whole } of source.matchAll(/\.absorb\("[a-z_]+"/g)) {
    const close = behind(source, index + 7);
    yield [`${whole.slice(1)}) dropped`, index, close - index, ""];
  }
  for (const { index, 0: whole, 1: before, 2: number } of source.matchAll(/(\b(?:bin|whole|list|ITEMS =|DEPTH =|LONGEST =|MARKS =|most:|text:|bin:|length >|length <|length !==|<=|>=|bytes = |characters = )[^\n;]*?)\b(\d+)\b/g)) {
    if (whole.includes("=>")) continue;
    for (const other of [Number(number) + 1, Number(number) - 1]) {
      yield [`${whole.trim()} with ${other}`, index + before.length, number.length, String(other)];
    }
  }
}

/** Changes that no pattern finds: [file, text, other text]. */
const BY_HAND = [
  ...[0, 1, 2, 3].map((i) => ["deal.mjs", "befores[seat], shuffle));", `befores[seat], shuffle).toSpliced(${i}, 1));`]),
  ["deal.mjs", "numberBig(randomBytes(16))", "1n"],
  ["deal.mjs", "(j === 0 ? 1n : script.challenge(\"weight\"))", "(script.challenge(\"weight\"), 1n)"],
  ["deal.mjs", "if (block < limit) return", "return"],
  ["transcript.mjs", "numberLittle(squeezed) % ORDER", "numberLittle(squeezed.subarray(0, 32)) % ORDER"],
  ["sign.mjs", "concat(r, key, bytesOf(label), message)", "concat(r, key, message)"],
  ["sign.mjs", "|| point.is0() || !point.isTorsionFree()", ""],
  ["sign.mjs", "Point.fromBytes(key, false)", "Point.fromBytes(key, true)"],
  ["record.mjs", "agreementLabel, agreement.table, signature", "\"p2ptruco/1/entry\", agreement.table, signature"],
  ["record.mjs", "verify(agreement.identities[seat], TRAILER_LABEL", "verify(agreement.identities[0], TRAILER_LABEL"],
  ["table.mjs", "this.entries.sort((a, b) => a.seat - b.seat);", ""],
  ["table.mjs", "2 + fault.seat);", "this.step);"],
  ["table.mjs", "endHead(head, this.last)", "head"],
  ["table.mjs", "joinHead(after, this.last)", "after"],
  ["table.mjs", "this.illegal ??=", "this.illegal ="],
];

function* byHand(file, source) {
  for (const [there, text, other] of BY_HAND) {
    if (there !== file) continue;
    const at = source.indexOf(text);
    if (at < 0) throw new Error(`${file} has no ${text}`);
    yield [`${text} -> ${other || "nothing"}`, at, text.length, other];
  }
}

function mutants(wanted) {
  return Object.keys(FILES).filter((file) => !wanted.length || wanted.includes(file)).flatMap((file) => {
    const source = readFileSync(join(HERE, "src", file), "utf8");
    const found = [...byHand(file, source), ...changes(source)].map(([what, at, length, text]) => ({
      file, line: source.slice(0, at).split("\n").length, what: what.replace(/\s+/g, " "),
      source: source.slice(0, at) + text + source.slice(at + length),
    }));
    return found.filter((one, i) => found.findIndex(({ source: other }) => other === one.source) === i);
  });
}

// Trying one

/** The vector that fails, "nothing ends", or null if none does. */
function tried(worker, { file, source }) {
  return new Promise((done) => {
    const timer = setTimeout(() => {
      worker.terminate();
      done("nothing ends");
    }, 1000 * SECONDS);
    worker.once("message", (killer) => {
      clearTimeout(timer);
      done(killer);
    });
    worker.postMessage({ file, source, first: FILES[file], near: NEAR });
  });
}

const allowed = readFileSync(join(HERE, "test", "mutants.txt"), "utf8").split("\n")
  .filter((line) => line && !line.startsWith("#")).map((line) => line.split(" | ")[0].trim());
const queue = mutants(process.argv.slice(2).filter((word) => word !== "--near"));
const count = queue.length;
const alive = [];

const hired = () => new Worker(new URL("mutant.mjs", import.meta.url));

async function work() {
  let worker = hired();
  for (let one = queue.shift(); one; one = queue.shift()) {
    const killer = await tried(worker, one);
    if (killer === "nothing ends") worker = hired();
    const name = `${one.file}: ${one.what}`;
    console.log(`${killer ? "killed" : "LIVES "} ${one.file}:${one.line}: ${one.what}${killer ? `  <- ${killer}` : ""}`);
    if (!killer && !allowed.includes(name)) alive.push(name);
  }
  await worker.terminate();
}

await Promise.all(Array.from({ length: AT_ONCE }, work));
console.log(`${count} mutants; these live and have no reason to:\n${alive.join("\n")}`);
process.exitCode = alive.length ? 1 : 0;
