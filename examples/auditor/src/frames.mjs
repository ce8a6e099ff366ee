// Frames (wire.md §4): their types, shapes and limits, and reading them from a stream.

import { bigEndian, concat } from "./bytes.mjs";
import { decode, encode } from "./pack.mjs";
import { Refusal, malformed } from "./refusal.mjs";
import { b32, b64, bool, list, nil, or, row, text, u16, u8, whole, word } from "./shape.mjs";

const chars = (least, most) => (value) => text(value) && [...value].length >= least && [...value].length <= most;
const bytes = (least, most) => (value) => value instanceof Uint8Array && value.length >= least && value.length <= most;
const seat = whole(0, 7);
const name = chars(1, 64);
const addresses = list(row(bytes(4, 16), u16), 0, 8);
const chair = or(nil, row(b32, name, b32, bool, bool, bool));

/** type: [name, limit of the body, shape of its fields]. */
export const FRAMES = {
  0x01: ["knock", 64, row(word("seat", "watch", "roster"), b32)],
  0x02: ["answer", 40, row(b32)],
  0x03: ["hello", 128, row(b32, word("dialling", "accepting"), b64)],
  0x04: ["welcome", 1, row()],
  0x05: ["bye", 20, row(chars(0, 16))],
  0x10: ["entry", 12416, row(bytes(1, 12288), b64)],
  0x11: ["pulse", 96, row(u8, u16, u8, u16, b32, u8, b32)],
  0x12: ["ask", 16, row(u8, u16, u8, u16)],
  0x13: ["private", 4104, row(bytes(0, 4096))],
  0x20: ["claim", 512, row(or(seat, nil), name, or(seat, nil), b32, addresses)],
  0x21: ["proposal", 10240, row(bytes(0, 8192), list(addresses, 2, 8))],
  0x22: ["signature", 128, row(b32, seat, b64)],
  0x23: ["enter", 160, row(name, or(seat, nil), or(b32, nil), bool, bool)],
  0x24: ["room", 8192, row(name, list(row(name, chars(0, 256)), 0, 32), row(u16, u16, u16), list(chair, 2, 8), bool, bool)],
  0x25: ["talk", 2100, row(chars(1, 512))],
  0x26: ["said", 2160, row(b32, chars(1, 512))],
};
const TYPES = Object.fromEntries(Object.entries(FRAMES).map(([type, [name]]) => [name, Number(type)]));

export function frame(name, ...fields) {
  const body = encode(fields);
  return concat(bigEndian(body.length + 1, 4), Uint8Array.of(TYPES[name]), body);
}

/** Gives the frames of a stream as they become whole: { name, fields }. */
export class Reader {
  #waiting = new Uint8Array();

  *take(more) {
    this.#waiting = concat(this.#waiting, more);
    while (this.#waiting.length >= 5) {
      const length = new DataView(this.#waiting.buffer, this.#waiting.byteOffset).getUint32(0);
      const known = FRAMES[this.#waiting[4]];
      if (length < 1 || !known) throw malformed("a frame of no known type");
      const [name, limit, shape] = known;
      if (length - 1 > limit) throw new Refusal("oversized", `a ${name} over its limit`);
      if (this.#waiting.length < 4 + length) return;
      const fields = decode(this.#waiting.subarray(5, 4 + length));
      if (!shape(fields)) throw malformed(`not the shape of a ${name}`);
      this.#waiting = this.#waiting.slice(4 + length);
      yield { name, fields };
    }
  }
}
