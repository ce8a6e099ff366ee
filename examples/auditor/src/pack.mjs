// MessagePack as the protocol uses it (table.md §1, record.md §1): arrays, numbers, text, bytes,
// true, false and nil; never a map, a float or an extension; one encoding for each value.
//
// A value is scanned from the front under limits, before anything is built. What is whole is
// encoded again: it must come out the same. Numbers beyond 2^53 are BigInts, text is a string,
// bytes are Uint8Arrays.

import { bigEndian, bytesOf, concat, numberBig, same } from "./bytes.mjs";
import { Refusal, malformed } from "./refusal.mjs";

export const ITEMS = 64;
export const DEPTH = 8;

const MAP = "a map";
const FLOAT = "a float";
const EXTENSION = "an extension";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function encode(value) {
  const parts = [];
  put(value, parts);
  return concat(...parts);
}

function put(value, parts) {
  if (value === null) parts.push(Uint8Array.of(0xc0));
  else if (value === false) parts.push(Uint8Array.of(0xc2));
  else if (value === true) parts.push(Uint8Array.of(0xc3));
  else if (typeof value === "number" || typeof value === "bigint") putNumber(BigInt(value), parts);
  else if (typeof value === "string") {
    const text = bytesOf(value);
    putHead(text.length, parts, 0xa0, 31, [0xd9, 0xda, 0xdb]);
    parts.push(text);
  } else if (value instanceof Uint8Array) {
    putHead(value.length, parts, 0, -1, [0xc4, 0xc5, 0xc6]);
    parts.push(value);
  } else {
    putHead(value.length, parts, 0x90, 15, [null, 0xdc, 0xdd]);
    for (const item of value) put(item, parts);
  }
}

function putHead(length, parts, fixed, most, [one, two, four]) {
  if (length <= most) parts.push(Uint8Array.of(fixed | length));
  else if (one !== null && length < 256) parts.push(Uint8Array.of(one, length));
  else if (length < 65536) parts.push(Uint8Array.of(two), bigEndian(length, 2));
  else parts.push(Uint8Array.of(four), bigEndian(length, 4));
}

function putNumber(value, parts) {
  if (value >= 0n) {
    if (value < 128n) parts.push(Uint8Array.of(Number(value)));
    else {
      const size = [1, 2, 4, 8].find((bytes) => value < 1n << BigInt(8 * bytes));
      parts.push(Uint8Array.of({ 1: 0xcc, 2: 0xcd, 4: 0xce, 8: 0xcf }[size]), bigEndian(value, size));
    }
  } else if (value >= -32n) parts.push(Uint8Array.of(Number(256n + value)));
  else {
    const size = [1, 2, 4, 8].find((bytes) => value >= -(1n << BigInt(8 * bytes - 1)));
    const whole = (1n << BigInt(8 * size)) + value;
    parts.push(Uint8Array.of({ 1: 0xd0, 2: 0xd1, 4: 0xd2, 8: 0xd3 }[size]), bigEndian(whole, size));
  }
}

/**
 * Reads one value from `from` on: `{ value, end }`. Limits, each of them optional: `most` bytes in
 * all, `text` and `bin` bytes of one text or bin. Refuses with `malformed`, or with `incomplete`
 * where the bytes end before it does.
 */
export function readValue(bytes, from = 0, { most = Infinity, text = Infinity, bin = Infinity } = {}) {
  let at = from;

  function take(length) {
    if (at + length - from > most && bytes.length - from > most) throw malformed("a value over its limit");
    if (at + length > bytes.length) throw new Refusal("incomplete", "the bytes end within a value");
    at += length;
    return bytes.subarray(at - length, at);
  }
  const count = (length) => Number(numberBig(take(length)));

  function array(length, depth) {
    if (length > ITEMS) throw malformed("too many items in an array");
    if (depth >= DEPTH) throw malformed("arrays too deep in one another");
    const items = [];
    for (let i = 0; i < length; i += 1) items.push(item(depth + 1));
    return items;
  }
  function string(length) {
    const taken = take(length);
    if (length > text) throw malformed("a text over its limit");
    try {
      return utf8.decode(taken);
    } catch {
      throw malformed("a text that is no UTF-8");
    }
  }
  function binary(length) {
    const taken = take(length);
    if (length > bin) throw malformed("a bin over its limit");
    return taken.slice();
  }
  function refuse(length, what) {
    take(length);
    throw malformed(what);
  }
  function number(length, signed) {
    const taken = numberBig(take(length));
    const value = signed ? BigInt.asIntN(8 * length, taken) : taken;
    return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  }
  function item(depth) {
    const [head] = take(1);
    if (head < 0x80) return head;
    if (head < 0x90) throw malformed(MAP);
    if (head < 0xa0) return array(head & 15, depth);
    if (head < 0xc0) return string(head & 31);
    if (head >= 0xe0) return head - 256;
    switch (head) {
      case 0xc0: return null;
      case 0xc1: throw malformed("the byte c1");
      case 0xc2: return false;
      case 0xc3: return true;
      case 0xc4: return binary(count(1));
      case 0xc5: return binary(count(2));
      case 0xc6: return binary(count(4));
      case 0xc7: return refuse(count(1) + 1, EXTENSION);
      case 0xc8: return refuse(count(2) + 1, EXTENSION);
      case 0xc9: return refuse(count(4) + 1, EXTENSION);
      case 0xca: return refuse(4, FLOAT);
      case 0xcb: return refuse(8, FLOAT);
      case 0xcc: case 0xcd: case 0xce: case 0xcf: return number(1 << (head - 0xcc), false);
      case 0xd0: case 0xd1: case 0xd2: case 0xd3: return number(1 << (head - 0xd0), true);
      case 0xd4: case 0xd5: case 0xd6: case 0xd7: case 0xd8:
        return refuse((1 << (head - 0xd4)) + 1, EXTENSION);
      case 0xd9: return string(count(1));
      case 0xda: return string(count(2));
      case 0xdb: return string(count(4));
      case 0xdc: return array(count(2), depth);
      case 0xdd: return array(count(4), depth);
      default: throw malformed(MAP); // de, df
    }
  }

  const value = item(0);
  return { value, end: at };
}

/** The one value that `bytes` are, at most `most` long, in its one encoding; else `malformed`. */
export function decode(bytes, most = Infinity) {
  if (bytes.length > most) throw malformed("over the limit of its length");
  let read;
  try {
    read = readValue(bytes);
  } catch (fault) {
    throw fault instanceof Refusal ? malformed(fault.message) : fault;
  }
  if (read.end !== bytes.length) throw malformed("bytes behind the value");
  if (!same(encode(read.value), bytes)) throw malformed("not the one encoding of its value");
  return read.value;
}
