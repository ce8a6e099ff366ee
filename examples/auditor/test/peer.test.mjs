// Two matches over TCP between peer.mjs and `p2ptruco host`; more of them: test/matches.mjs.

import assert from "node:assert/strict";
import test from "node:test";
import { frame } from "../src/frames.mjs";
import { hex, unhex } from "../src/bytes.mjs";
import { helloMessage, keyOf, proofOf } from "../src/link.mjs";
import { ed25519 } from "@noble/curves/ed25519.js";
import { publishedSeed, sign } from "../src/sign.mjs";
import { ticketOf } from "../src/ticket.mjs";
import { match } from "./matches.mjs";

for (const rules of ["paulista", "mano-a-mano"]) {
  test(`a match of ${rules} gives one record, which both verify`, async () => {
    const { same, ours, theirs, failed } = await match(rules);
    assert.equal(failed, undefined);
    assert.ok(same, "two records");
    assert.deepEqual([ours.status, theirs.status], ["complete", "complete"]);
    assert.deepEqual([ours.score, ours.winner], [theirs.score, theirs.winner]);
  });
}

test("the examples of wire.md §9 come out", () => {
  const ticket = ticketOf("TRUCO:AIAACAOAVAARJHF3CAII2ILSY4DFMI5AQLHA7PMIXLOAUAABAIBQIBIGA4EAS4AWHI");
  assert.deepEqual(ticket.addresses, [{ host: "192.168.1.20", port: 40123 }]);
  assert.equal(hex(ticket.secret), "00010203040506070809");
  const [host, guest] = [new Uint8Array(32).fill(0xaa), new Uint8Array(32).fill(0xbb)];
  const key = keyOf("seat", ticket.secret);
  assert.equal(hex(key), "29a60eeedacf7ed491b41c6916ef6c10bdb5a342ff5374bddcc8c61d5f4c260c");
  assert.equal(hex(keyOf("roster", unhex("cc".repeat(32)))), "357f5013b0a38b8c2621977b40a017b89088f10688c2e0b876bc0e25eaf37b3b");
  assert.equal(hex(proofOf(key, "guest", host, guest)), "4ba778e262dbef5d997f0c113d1f33852716b0b59d3507b4a58ac6658ae8271c");
  assert.equal(hex(proofOf(key, "host", host, guest)), "55229fbfcc846dde536425eb3c170488bdbf413286eb55d527e827843aaffede");
  const seed = publishedSeed("vector-0");
  assert.equal(hex(ed25519.getPublicKey(seed)), "5dc68f875fe3322f268450b7efa4295a6a1d54bbe7f1670fd590ea5ba47253eb");
  assert.equal(
    hex(sign(seed, "p2ptruco/1/hello", helloMessage("accepting", host, guest))),
    "e9bf176abaad2245e88ea90b58e25d2a4a4d27c2e61507b09599e36b166fb256ea4de77b6325099c2c414f87ed7d539832ab4665bd03121420d9028ae7279a0a",
  );
  assert.equal(hex(frame("ask", 0, 3, 0, 12)), "0000000612940003000c");
});
