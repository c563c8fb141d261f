import { bytesOf, type ByteWriter } from "./byte-writer.ts";

/** Numbers in this range are first tried as a whole number of at most 10 digits over a power of ten. */
const DIGITS = 10;
const SMALLEST = 1e-6;
const LARGEST = 1e10;
/** Powers of ten that float64 holds exactly, as many as the range needs. */
const POWERS = Float64Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);
/** Text that needs no escaping in quotes: printable ASCII without quotes and backslashes. */
const PLAIN = /^[ !#-[\]-~]*$/;

const NULL = bytesOf("null");
const TRUE = bytesOf("true");
const FALSE = bytesOf("false");
const QUOTE = bytesOf('"');
const COMMA = bytesOf(",");
const MINUS = bytesOf("-");
const [OPEN_LIST, CLOSE_LIST] = [bytesOf("["), bytesOf("]")];
const [OPEN_OBJECT, CLOSE_OBJECT] = [bytesOf("{"), bytesOf("}")];

/** There are few member names, because they come from schemas. */
const NAMES_MAX = 10_000;
/** Includes the comma that precedes every member but the first. */
const names = new Map<string, Uint8Array>();
const firstNames = new Map<string, Uint8Array>();
/** The texts of objects that were declared constant. */
const constants = new WeakMap<object, Uint8Array>();

/**
 * Writes plain data as UTF-8 JSON, byte for byte as JSON.stringify would: numbers, texts, booleans, null,
 * lists, and objects without methods. It saves the intermediate text, which would have to be encoded and
 * copied, and the search for the shortest text of numbers with at most 10 digits.
 */
export function writeJson(out: ByteWriter, value: unknown): void {
  if (typeof value === "number") writeNumber(out, value);
  else if (typeof value === "string") writeText(out, value);
  else if (typeof value === "boolean") out.bytes(value ? TRUE : FALSE);
  else if (typeof value !== "object" || value === null) out.bytes(NULL);
  else writeMembers(out, value);
}

/** Declares that an object or list never changes. It may occur in many values, and its text is made once. */
export function constantInJson<Constant extends object>(value: Constant): Constant {
  if (!constants.has(value)) constants.set(value, Buffer.from(JSON.stringify(value)));
  return value;
}

function writeMembers(out: ByteWriter, value: object): void {
  const constant = constants.get(value);
  if (constant !== undefined) {
    out.bytes(constant);
  } else if (Array.isArray(value)) {
    writeList(out, value);
  } else {
    writeOpenObject(out, value);
    out.bytes(CLOSE_OBJECT);
  }
}

/** Writes an object without its closing brace, so that more members can follow. */
export function writeOpenObject(out: ByteWriter, value: object): void {
  out.bytes(OPEN_OBJECT);
  let first = true;
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    if (member === undefined) continue;
    out.bytes(first ? nameOf(name, firstNames, "") : nameOf(name, names, ","));
    first = false;
    writeJson(out, member);
  }
}

function nameOf(name: string, known: Map<string, Uint8Array>, before: string): Uint8Array {
  let bytes = known.get(name);
  if (bytes === undefined) {
    bytes = Buffer.from(`${before}${JSON.stringify(name)}:`);
    if (known.size < NAMES_MAX) known.set(name, bytes);
  }
  return bytes;
}

function writeList(out: ByteWriter, values: readonly unknown[]): void {
  out.bytes(OPEN_LIST);
  for (let index = 0; index < values.length; index++) {
    if (index > 0) out.bytes(COMMA);
    writeJson(out, values[index]);
  }
  out.bytes(CLOSE_LIST);
}

function writeText(out: ByteWriter, text: string): void {
  if (!PLAIN.test(text)) {
    out.bytes(Buffer.from(JSON.stringify(text)));
    return;
  }
  out.bytes(QUOTE);
  out.text(text);
  out.bytes(QUOTE);
}

/**
 * A whole number of at most 15 digits over a power of ten is the only decimal of so few digits that reads as
 * its float64. So it is the shortest one, which String() finds by searching.
 */
function writeNumber(out: ByteWriter, value: number): void {
  if (!Number.isFinite(value)) {
    out.bytes(NULL);
    return;
  }
  const size = Math.abs(value);
  if (Number.isSafeInteger(value)) {
    if (value < 0) out.bytes(MINUS);
    out.integer(size);
    return;
  }
  if (size >= SMALLEST && size < LARGEST) {
    const decimals = DIGITS - 1 - Math.floor(Math.log10(size));
    const scale = POWERS[decimals]!; // the range has 0 to 15 decimals
    const digits = Math.round(size * scale);
    if (digits / scale === size) {
      if (value < 0) out.bytes(MINUS);
      out.decimal(digits, decimals);
      return;
    }
  }
  out.text(String(value));
}
