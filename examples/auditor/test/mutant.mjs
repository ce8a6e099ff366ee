// A worker of mutants.mjs: loads the auditor anew for each mutant, and runs vectors until one fails.

import { readFileSync, readdirSync, statSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { SourceTextModule, SyntheticModule } from "node:vm";
import { parentPort } from "node:worker_threads";

const HERE = new URL("..", import.meta.url);
const kept = new Map();

/** A function that is asked once for each of its answers. */
const once = (act) => (...args) => {
  const key = [act.name, ...args].join(" ");
  if (!kept.has(key)) kept.set(key, act(...args));
  return kept.get(key);
};
const FILES = { readFileSync: once(readFileSync), readdirSync: once(readdirSync), statSync: once(statSync) };

async function outside(name) {
  const real = name === "node:fs" ? FILES : await import(name);
  return new SyntheticModule(Object.keys(real), function fill() {
    for (const [key, value] of Object.entries(real)) this.setExport(key, value);
  });
}

async function loaded({ file, source }, ...entries) {
  const modules = new Map();
  const load = (url) => {
    if (!modules.has(url)) {
      const changed = url === new URL(`src/${file}`, HERE).href;
      modules.set(url, new SourceTextModule(changed ? source : FILES.readFileSync(new URL(url), "utf8"), {
        identifier: url, initializeImportMeta: (meta) => { meta.url = url; },
      }));
    }
    return modules.get(url);
  };
  const link = (name, { identifier }) => {
    if (name === "#characters") return load(new URL("src/characters.node.mjs", HERE).href);
    if (name.startsWith(".")) return load(new URL(name, identifier).href);
    if (!modules.has(name)) modules.set(name, outside(name));
    return modules.get(name);
  };
  const found = [];
  for (const entry of entries) {
    const module = load(new URL(entry, HERE).href);
    await module.link(link);
    await module.evaluate();
    found.push(module.namespace);
  }
  return found;
}

async function killer(mutant) {
  try {
    const [vectors, playthroughs] = await loaded(mutant, "test/vectors.mjs", "test/playthroughs.mjs");
    const rank = ({ folder }) => (mutant.first.includes(folder) ? mutant.first.indexOf(folder) : mutant.first.length);
    const near = ({ folder }) => !mutant.near || mutant.first.includes(folder);
    const tries = [...vectors.all(), ...playthroughs.hands()].filter(near).sort((a, b) => rank(a) - rank(b) || a.size - b.size);
    for (const { name, run } of tries) {
      const { found, wanted } = run();
      if (!isDeepStrictEqual(JSON.parse(JSON.stringify(found)), JSON.parse(JSON.stringify(wanted)))) return name;
    }
    return null;
  } catch (fault) {
    return `it fails: ${String(fault).split("\n")[0]}`;
  }
}

parentPort.on("message", async (mutant) => parentPort.postMessage(await killer(mutant)));
