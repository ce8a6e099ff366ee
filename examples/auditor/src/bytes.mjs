// Bytes: hexadecimal, joining, comparing, and numbers of a fixed length.

const utf8 = new TextEncoder();

export const bytesOf = (text) => utf8.encode(text);

export function concat(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Negative, zero or positive, as the first byte that differs or else the length says. */
export function compare(a, b) {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i += 1) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}

export const same = (a, b) => compare(a, b) === 0;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function hex(bytes) {
  let text = "";
  for (const byte of bytes) text += HEX[byte];
  return text;
}

export function unhex(text) {
  if (text.length % 2 || /[^0-9a-f]/.test(text)) throw new Error("not hexadecimal");
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

/** `value` in `length` bytes, big-endian. */
export function bigEndian(value, length) {
  const bytes = new Uint8Array(length);
  let rest = BigInt(value);
  for (let i = length - 1; i >= 0; i -= 1) {
    bytes[i] = Number(rest & 255n);
    rest >>= 8n;
  }
  return bytes;
}

export const littleEndian = (value, length) => bigEndian(value, length).reverse();
export const numberBig = (bytes) => (bytes.length ? BigInt("0x" + hex(bytes)) : 0n);
export const numberLittle = (bytes) => numberBig(Uint8Array.from(bytes).reverse());

/** `bytes` cut into pieces of `size`; the length must be a multiple of it. */
export function pieces(bytes, size) {
  const list = [];
  for (let at = 0; at < bytes.length; at += size) list.push(bytes.subarray(at, at + size));
  return list;
}
