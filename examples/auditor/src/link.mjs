// A link as the side that dials (wire.md §2, §3): TLS, proofs, hellos; then frames either way.

import { X509Certificate, createHmac, hkdfSync } from "node:crypto";
import { EventEmitter } from "node:events";
import { connect } from "node:tls";
import { bytesOf, concat, same } from "./bytes.mjs";
import { Reader, frame } from "./frames.mjs";
import { AUTHORITY, authorityPublic, channelKey, newLeaf } from "./leaf.mjs";
import { Refusal } from "./refusal.mjs";
import { isAcceptable, sign, verify } from "./sign.mjs";
import { PROTOCOL, sha512 } from "./transcript.mjs";

const HANDSHAKE = 5000; // ms
const HELLO = `${PROTOCOL}/hello`;

export const keyOf = (purpose, secret) => (purpose === "watch" ? secret
  : new Uint8Array(hkdfSync("sha256", secret, new Uint8Array(), bytesOf(`${PROTOCOL}/ticket-key/${purpose}`), 32)));

export const proofOf = (key, side, host, guest) => new Uint8Array(createHmac("sha256", key)
  .update(concat(bytesOf(`${PROTOCOL}/ticket`), bytesOf(side), host, guest)).digest());

export const helloMessage = (role, speaker, listener) => concat(bytesOf(role), speaker, listener);

/** Emits "frame" ({ name, fields }) and, once, "end" (the word of a Bye, or "lost"). */
export class Link extends EventEmitter {
  constructor(socket, identity) {
    super();
    this.socket = socket;
    this.identity = identity; // the other's
    this.word = null;
    this.done = false;
    socket.on("close", () => this.#end("lost"));
    socket.on("error", () => this.#end("lost"));
  }

  say(name, ...fields) {
    if (!this.done) this.socket.write(frame(name, ...fields));
  }

  hear({ name, fields }) {
    if (name === "bye") {
      this.socket.end();
      this.#end(fields[0]);
    } else if (["knock", "answer", "hello", "welcome"].includes(name)) this.close("malformed");
    else this.emit("frame", { name, fields });
  }

  close(word) {
    this.say("bye", word);
    this.socket.end();
    setTimeout(() => this.socket.destroy(), 1000).unref();
    this.#end(word);
  }

  #end(word) {
    if (this.done) return;
    this.done = true;
    this.word = word;
    this.emit("end", word);
  }
}

/** Dials with a ticket; `identity` is { seed, public }. */
export function dial({ host, port }, ticket, identity) {
  const leaf = newLeaf();
  const socket = connect({
    host, port, key: leaf.key, cert: leaf.cert, ca: [AUTHORITY], minVersion: "TLSv1.3", maxVersion: "TLSv1.3",
    ALPNProtocols: [PROTOCOL], checkServerIdentity: () => undefined,
  });
  return new Promise((resolve, reject) => {
    const refused = (fault) => {
      if (!(fault instanceof Refusal)) return socket.destroy(fault);
      socket.end(frame("bye", fault.word));
      return reject(fault);
    };
    const timer = setTimeout(() => refused(new Refusal("too_late", "no end of the handshake in time")), HANDSHAKE);
    const fail = (why) => {
      clearTimeout(timer);
      reject(why instanceof Error ? why : new Refusal("lost", "the link was lost in the handshake"));
    };
    socket.once("error", fail);
    socket.once("close", fail);
    const script = handshake(socket, leaf, ticket, identity);
    let link = null;
    const reader = new Reader();
    socket.on("secureConnect", () => {
      try {
        script.next();
      } catch (fault) {
        refused(fault);
      }
    });
    socket.on("data", (chunk) => {
      try {
        for (const heard of reader.take(new Uint8Array(chunk))) {
          if (link) link.hear(heard);
          else {
            if (heard.name === "bye") throw new Refusal(heard.fields[0], `closed: ${heard.fields[0]}`);
            const { value, done } = script.next(heard);
            if (done) {
              clearTimeout(timer);
              socket.off("error", fail);
              socket.off("close", fail);
              link = new Link(socket, value);
              resolve(link);
            }
          }
        }
      } catch (fault) {
        if (!(fault instanceof Refusal)) throw fault;
        if (link) link.close(fault.word);
        else refused(fault);
      }
    });
  });
}

/** The dialling side's part: takes frames, gives the other's identity. */
function* handshake(socket, leaf, ticket, identity) {
  const theirs = accepted(socket);
  const key = keyOf(ticket.purpose, ticket.secret);
  socket.write(frame("knock", ticket.purpose, proofOf(key, "guest", theirs, leaf.channel)));
  const answer = yield* wanted("answer");
  if (!same(answer[0], proofOf(key, "host", theirs, leaf.channel))) throw new Refusal("bad_ticket");
  const [other, role, signature] = yield* wanted("hello");
  if (role !== "accepting") throw new Refusal("malformed");
  if (!isAcceptable(other)) throw new Refusal("bad_signature");
  verify(other, HELLO, helloMessage(role, theirs, leaf.channel), signature);
  if (same(other, identity.public)) throw new Refusal("wrong_peer");
  const print = sha512(concat(bytesOf(`${PROTOCOL}/fingerprint`), other)).subarray(0, 16);
  if (ticket.fingerprint.length && !same(print, ticket.fingerprint)) throw new Refusal("wrong_peer");
  const mine = sign(identity.seed, HELLO, helloMessage("dialling", leaf.channel, theirs));
  socket.write(frame("hello", identity.public, "dialling", mine));
  yield* wanted("welcome");
  return other;
}

function* wanted(name) {
  const heard = yield;
  if (heard.name !== name) throw new Refusal("malformed", `${heard.name} in place of ${name}`);
  return heard.fields;
}

/** The channel key of the other end, after what wire.md §2 asks beyond TLS's own checks. */
function accepted(socket) {
  if (socket.getProtocol() !== "TLSv1.3" || socket.alpnProtocol !== PROTOCOL) throw new Refusal("wrong_version");
  const certificate = new X509Certificate(socket.getPeerCertificate().raw);
  const info = new Uint8Array(certificate.publicKey.export({ format: "der", type: "spki" }));
  const positive = !certificate.serialNumber.startsWith("-") && /[1-9A-F]/.test(certificate.serialNumber);
  const fit = certificate.publicKey.asymmetricKeyType === "ed25519" && !same(info, authorityPublic);
  if (socket.isSessionReused() || !positive || !fit) throw new Refusal("malformed");
  return channelKey(info);
}
