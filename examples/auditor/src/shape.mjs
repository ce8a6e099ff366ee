// Shapes of decoded values: one small predicate for each field type of the pages.

export const whole = (least, most) => (value) => Number.isInteger(value) && value >= least && value <= most;
export const u8 = whole(0, 255);
export const u16 = whole(0, 65535);
export const bool = (value) => typeof value === "boolean";
export const text = (value) => typeof value === "string";
export const bin = (most) => (value) => value instanceof Uint8Array && value.length <= most;
export const exactly = (length) => (value) => value instanceof Uint8Array && value.length === length;
export const b32 = exactly(32);
export const b64 = exactly(64);
export const word = (...words) => (value) => typeof value === "string" && words.includes(value);
export const or = (...shapes) => (value) => shapes.some((shape) => shape(value));
export const nil = (value) => value === null;
export const list = (shape, least, most) => (value) =>
  Array.isArray(value) && value.length >= least && value.length <= most && value.every(shape);
export const row = (...shapes) => (value) =>
  Array.isArray(value) && value.length === shapes.length && shapes.every((shape, i) => shape(value[i]));
