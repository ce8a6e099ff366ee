// protocol/schema beside this program's own shapes: what one takes, the other takes.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { hex, unhex } from "../src/bytes.mjs";
import { agreementOf } from "../src/agreement.mjs";
import { bodyOf } from "../src/entry.mjs";
import { FRAMES } from "../src/frames.mjs";
import { decode } from "../src/pack.mjs";
import { Refusal } from "../src/refusal.mjs";

const PROTOCOL = new URL("../../../protocol/", import.meta.url);
const read = (path) => JSON.parse(readFileSync(new URL(path, PROTOCOL), "utf8"));
const { $defs: frames } = read("schema/frames.json");
const { $defs: { entry: body } } = read("schema/entry.json");

/** Bytes as hexadecimal, as the schemas mean them; text is marked, for it is no bytes. */
const plain = (value) => (value instanceof Uint8Array ? { bin: hex(value) } : Array.isArray(value) ? value.map(plain) : value);

function fits(schema, value) {
  if (schema.oneOf) return schema.oneOf.some((one) => fits(one, value));
  if ("const" in schema) return value === schema.const;
  if (schema.enum) return schema.enum.includes(value);
  switch (schema.type) {
    case "array":
      return Array.isArray(value) && value.length >= (schema.minItems ?? 0) && value.length <= (schema.maxItems ?? Infinity)
        && value.every((item, i) => fits(schema.prefixItems?.[i] ?? schema.items, item));
    case "integer":
      return Number.isInteger(value) && value >= schema.minimum && value <= schema.maximum;
    case "string": {
      const text = schema.pattern ? value?.bin : value;
      const length = typeof text === "string" ? [...text].length : -1;
      return length >= (schema.minLength ?? 0) && length <= (schema.maxLength ?? Infinity);
    }
    case "boolean":
      return typeof value === "boolean";
    default:
      return value === null;
  }
}

/** Values at and beyond the bounds of a schema. */
function* samples(schema, whole = true) {
  if (schema.oneOf) for (const one of schema.oneOf) yield* samples(one, whole);
  else if ("const" in schema) yield* [schema.const, "other"];
  else if (schema.enum) yield* [schema.enum[0], "other"];
  else if (schema.type === "integer") yield* [schema.minimum, schema.maximum, schema.maximum + 1, schema.minimum - 1, true];
  else if (schema.type === "boolean") yield* [true, 1];
  else if (schema.type === "null") yield null;
  else if (schema.type === "string" && schema.pattern) {
    const lengths = [schema.minLength ?? 0, schema.maxLength, schema.maxLength + 2, (schema.minLength ?? 0) - 2];
    yield* [...lengths.filter((length) => length >= 0).map((length) => new Uint8Array(length / 2)), "text"];
  } else if (schema.type === "string") {
    const { minLength: least = 0, maxLength: most = 70 } = schema;
    yield* ["a".repeat(Math.max(least, 1)), "a".repeat(most), "a".repeat(most + 1), "a".repeat(Math.max(0, least - 1)), 7];
  } else if (schema.prefixItems) {
    const good = schema.prefixItems.map((item) => samples(item).next().value);
    yield good;
    yield [...good, null];
    for (const [i, item] of schema.prefixItems.entries()) {
      for (const sample of samples(item)) yield good.map((kept, j) => (i === j ? sample : kept));
    }
  } else {
    const [good] = samples(schema.items);
    for (const length of [schema.minItems ?? 0, schema.maxItems ?? 3, (schema.maxItems ?? 3) + 1]) yield Array(length).fill(good);
    for (const sample of samples(schema.items)) yield Array(Math.max(1, schema.minItems ?? 0)).fill(sample);
  }
}

for (const [name, schema] of Object.entries(frames)) {
  test(`a ${name} has the fields of the schema`, () => {
    const [own, limit, shape] = FRAMES[parseInt(schema["x-type"], 16)];
    assert.equal(own, name.toLowerCase().replace("frame", ""));
    assert.equal(limit, schema["x-body"]);
    for (const sample of samples(schema)) {
      assert.equal(shape(sample), fits(schema, plain(sample)), `${name} ${JSON.stringify(plain(sample)).slice(0, 300)}`);
    }
  });
}

test("bodies of entries have the fields of the schema", () => {
  const folder = new URL("vectors/entries/", PROTOCOL);
  for (const file of readdirSync(folder)) {
    const { given } = read(`vectors/entries/${file}`);
    const agreement = agreementOf(unhex(given.agreement));
    let value;
    try {
      value = decode(unhex(given.body), 8192);
    } catch {
      continue; // not the one encoding of anything
    }
    let word = null;
    try {
      bodyOf(agreement, unhex(given.body));
    } catch (fault) {
      if (!(fault instanceof Refusal)) throw fault;
      word = fault.word;
    }
    const seat = Array.isArray(value) && value[7] >= agreement.players && value[7] <= 7;
    if (!seat) assert.equal(fits(body, plain(value)), word === null || word === "wrong_table", file);
  }
});
