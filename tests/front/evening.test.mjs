// Two people at two faces of another language, a bot of the host's on either side of the table:
// lobby, talk, a wink, a card chosen ahead, a call, a record, a rematch, a leave.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { BOT, Face, P2PTRUCO } from "./face.mjs";

const RULES = "mineiro fold=no";

/** What both say: a card is chosen ahead for the other first, then somebody calls truco. */
class Evening {
  constructor() {
    this.people = [];
    this.used = false;
  }

  async answer(face, question) {
    const keys = (question.choices ?? []).filter((one) => !one.loses_match).map((one) => one.key);
    if (question.question !== "move") return undefined;
    if (keys.includes("accept")) return "accept";
    if (keys.includes("play")) return "play";
    await this.chooseAhead(this.people.find((one) => one !== face));
    if (keys.includes("call") && this.used) return "call";
    return keys.find((key) => /^[123]$/.test(key));
  }

  /** The first card of the other, if they have laid none. */
  async chooseAhead(other) {
    if (this.used) return;
    const number = other.all("hand_begun").length;
    const { seat } = other.all("seated").at(-1);
    if (other.all("card", { number, seat }).length) return;
    await other.next({ event: "cards", number }, 0);
    const since = other.objects.length;
    other.say("ahead", { place: 1 });
    const chosen = await other.next({ event: "ahead" }, since);
    assert.deepEqual([chosen.choice, chosen.why], ["1", "chosen"]);
    other.next({ event: "ahead", why: "used" }, since).then(() => (this.used = true));
  }
}

async function lobby(host, guest, since) {
  const free = (chairs) => chairs?.every((chair) => chair !== null);
  await host.next({ event: "lobby", chairs: free }, since.host);
  return guest.next({ event: "lobby", chairs: free }, since.guest);
}

async function start(host, guest) {
  const since = host.objects.length;
  guest.say("ready");
  await host.next({ event: "lobby", ready: true }, since);
  host.say("start");
  const [one, other] = await Promise.all(
    [host, guest].map((face) => face.next({ event: "seated" }, face === host ? since : 0)),
  );
  return [one, other];
}

test("two programs play a match and another", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "p2ptruco-"));
  const evening = new Evening();
  const answer = (face, question) => evening.answer(face, question);
  const host = new Face(
    join(folder, "ana"),
    ["host", "--seats", "4", "--variant", RULES, "--bots", "2", "--bot", BOT, "--time", "0"].concat(
      ["--name", "Ana", "--private"],
    ),
    answer,
  );
  evening.people.push(host);
  t.after(() => {
    for (const face of evening.people) face.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const { ticket } = await host.next({ event: "invitation" }, 0);
  const guest = new Face(join(folder, "bia"), ["join", ticket, "--name", "Bia"], answer);
  evening.people.push(guest);

  const first = host.objects[0];
  assert.deepEqual([first.front, first.program, first.run], [1, "p2ptruco", "host"]);
  assert.equal((await guest.next({ front: 1 }, 0)).run, "join");

  const shown = await lobby(host, guest, { host: 0, guest: 0 });
  assert.match(shown.words.target, /12 points/);
  assert.deepEqual(shown.variant.differs, { fold: "no" });

  guest.say("talk", { text: "oi" });
  assert.equal((await host.next({ event: "talk", text: "oi" }, 0)).player, "Bia");
  guest.say("cheat");
  await guest.next({ event: "refused", code: "unknown_command" }, 0);
  host.say("start");
  await host.next({ event: "refused", code: "not_ready" }, 0);

  const place = (chairs) => chairs?.find((chair) => chair?.player === "Bia")?.seat === 3;
  host.say("swap", { one: 2, other: 3 });
  await guest.next({ event: "lobby", chairs: place }, 0);

  const before = host.objects.length;
  const seated = await start(host, guest);
  assert.equal(seated[0].fingerprint, seated[1].fingerprint);
  assert.equal(seated[1].seat, 3);
  guest.say("wink", { text: "zap" });
  const wink = await host.next({ event: "wink" }, before);
  assert.deepEqual([wink.player, wink.text, wink.seat], ["Bia", "zap", 3]);
  assert.deepEqual((await guest.next({ event: "sent", private: true }, 0)).to, [1]);
  host.say("look");
  const { snapshot } = await host.next({ snapshot: (one) => one?.events.length > 0 }, before);
  assert.ok(snapshot.events.some((one) => one.event === "seated"));

  const again = await Promise.all([host, guest].map((face) => face.next({ question: "another" }, 0)));
  assert.ok(evening.used, "no card chosen ahead was played");
  for (const face of [host, guest]) {
    assert.ok(face.all("call", { word: "truco" }).length, "nobody called");
    const [ended] = face.all("ended");
    assert.ok(Math.max(...ended.score) >= 12);
    assert.deepEqual(face.all("sealed")[0].missing, []);
    const record = face.all("record")[0];
    const verified = spawnSync(P2PTRUCO, ["verify", record.path, "--json"], { encoding: "utf8" });
    assert.equal(JSON.parse(verified.stdout).status, "complete");
  }

  const since = { host: host.objects.length, guest: guest.objects.length };
  guest.say("answer", { id: again[1].id, choice: "yes" });
  host.say("answer", { id: again[0].id, choice: "yes" });
  await lobby(host, guest, since);
  const seat = (await start(host, guest))[1].seat;
  assert.equal(seat, 3, "a rematch keeps the seats");
  await guest.next({ event: "cards" }, since.guest);
  guest.say("leave");
  const meant = await guest.next({ question: "confirm", what: "leave" }, since.guest);
  assert.ok(meant.message);
  guest.say("answer", { id: meant.id, choice: "yes" });
  const last = await Promise.all(
    [host, guest].map((face, at) => face.next({ question: "another" }, Object.values(since)[at])),
  );
  assert.deepEqual(host.all("ended").at(-1).went, [3]);
  guest.say("answer", { id: last[1].id, choice: "no" });
  host.say("answer", { id: last[0].id, choice: "no" });
  for (const face of [host, guest]) {
    assert.equal(await face.ended, 0, face.errors);
    assert.equal(face.objects.at(-1).matches.length, 2);
    assert.equal(face.errors, "");
  }
});
