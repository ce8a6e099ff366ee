// A face in another language than p2ptruco's: one process, its objects, and what is said to it.
// Node's standard library only. The contract is protocol/front.md.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));
export const P2PTRUCO = process.env.P2PTRUCO ?? `${HERE}../../.venv/bin/p2ptruco`;
export const BOT = `${HERE}plain.py`;
const MILLISECONDS = 120_000;

export class Face {
  /** `answer(face, question)`: the key of a choice, or a promise of it; nothing for no answer. */
  constructor(home, words, answer = () => undefined) {
    this.objects = [];
    this.errors = "";
    this.wanted = [];
    this.answer = answer;
    const env = { ...process.env, P2PTRUCO_HOME: home, LC_ALL: "C.UTF-8", LANGUAGE: "" };
    this.process = spawn(P2PTRUCO, [...words, "--front", "jsonl"], { env });
    this.process.stderr.on("data", (some) => (this.errors += some));
    this.ended = new Promise((done) => this.process.on("close", done));
    this.ended.then(() => this.wanted.forEach(({ late }) => late()));
    createInterface({ input: this.process.stdout }).on("line", (line) => this.hear(line));
  }

  hear(line) {
    const object = JSON.parse(line);
    this.objects.push(object);
    this.wanted = this.wanted.filter(({ is, done }) => !is(object) || done(object));
    if ("question" in object) {
      Promise.resolve(this.answer(this, object)).then((choice) => {
        if (choice !== undefined) this.say("answer", { id: object.id, choice });
      });
    }
  }

  say(command, more = {}) {
    this.process.stdin.write(JSON.stringify({ command, ...more }) + "\n");
  }

  /** The objects of one event so far that have these members. */
  all(event, members = {}) {
    return this.objects.filter((object) => fits(object, { event, ...members }));
  }

  /** The next object with these members; one of before counts if it came after `since` objects. */
  next(members, since = this.objects.length) {
    const is = (object) => fits(object, members);
    const before = this.objects.slice(since).find(is);
    if (before) return Promise.resolve(before);
    return new Promise((done, failed) => {
      const late = () => {
        const last = this.objects.slice(-8).map((object) => JSON.stringify(object));
        failed(new Error(`no ${JSON.stringify(members)}:\n${last.join("\n")}\n${this.errors}`));
      };
      const timer = setTimeout(late, MILLISECONDS);
      this.ended.then(() => clearTimeout(timer));
      this.wanted.push({ is, late, done: (object) => (clearTimeout(timer), done(object), false) });
    });
  }

  close() {
    this.process.kill("SIGKILL");
  }
}

function fits(object, members) {
  return Object.entries(members).every(([name, value]) =>
    typeof value === "function" ? value(object[name]) : object[name] === value,
  );
}
