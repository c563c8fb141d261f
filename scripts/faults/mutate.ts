import { unzipSync, zipSync } from "fflate";
import { randomStream } from "../../pipeline/sources/random.ts";

type Whole = (below: number) => number;

/**
 * Bytes that damage a count: zero, all bits, the largest signed 32-bit number, an unfinished variable-length number,
 * and 2^30 in 64 bits.
 */
const COUNTS = [
  [0, 0, 0, 0],
  [0xff, 0xff, 0xff, 0xff],
  [0xff, 0xff, 0xff, 0x7f],
  [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80],
  [0, 0, 0, 0x40, 0, 0, 0, 0],
];
const COPY_MAX = 4096;
const ZIP_SHARE = 2;

/** A damaged copy of a file. The same file and name give the same mutant. */
export function mutantOf(bytes: Uint8Array, name: string): Uint8Array {
  const stream = randomStream(name);
  const whole: Whole = (below) => Math.floor(below * stream.uniform());
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  // A damaged zip mostly fails its checksums, so half of the mutants of a zip are sound zips of damaged files.
  if (isZip && whole(ZIP_SHARE) === 0) return zipWith(bytes, whole);
  return damaged(bytes, whole);
}

function zipWith(bytes: Uint8Array, whole: Whole): Uint8Array {
  const files = unzipSync(bytes);
  const names = Object.keys(files);
  const name = names[whole(names.length)] ?? "none";
  return zipSync(
    { ...files, [name]: damaged(files[name] ?? new Uint8Array(), whole) },
    { level: 0 },
  );
}

function damaged(bytes: Uint8Array, whole: Whole): Uint8Array {
  let out = bytes;
  for (let left = whole(4) === 0 ? 3 : 1; left > 0; left--) {
    out = DAMAGES[whole(DAMAGES.length)]!(out, whole);
  }
  return out;
}

const DAMAGES: readonly ((bytes: Uint8Array, whole: Whole) => Uint8Array)[] = [
  cut,
  flipped,
  flipped,
  spliced,
  repeated,
  counted,
  counted,
  withDigits,
  withAnotherDigit,
];

function cut(bytes: Uint8Array, whole: Whole): Uint8Array {
  return bytes.slice(0, whole(bytes.length + 1));
}

function flipped(bytes: Uint8Array, whole: Whole): Uint8Array {
  const out = bytes.slice();
  for (let left = 1 + whole(4); left > 0; left--) out[whole(out.length)] = whole(256);
  return out;
}

/** Copies a part of the file over another, or takes a part out. */
function spliced(bytes: Uint8Array, whole: Whole): Uint8Array {
  const from = whole(bytes.length + 1);
  const part = bytes.subarray(from, from + whole(COPY_MAX));
  const to = whole(bytes.length + 1);
  return joined(bytes.subarray(0, to), part, bytes.subarray(to + whole(COPY_MAX)));
}

function repeated(bytes: Uint8Array, whole: Whole): Uint8Array {
  const from = whole(bytes.length + 1);
  const part = bytes.subarray(from, from + 1 + whole(64));
  const times = Array.from({ length: 1 + whole(500) }, () => part);
  return joined(bytes.subarray(0, from), ...times, bytes.subarray(from));
}

/** Overwrites bytes that may be a count. Many counts are near the end of a file. */
function counted(bytes: Uint8Array, whole: Whole): Uint8Array {
  const out = bytes.slice();
  const within = whole(2) === 0 ? out.length : Math.min(out.length, 2048);
  const count = COUNTS[whole(COUNTS.length)]!;
  out.set(
    count.slice(0, out.length),
    Math.max(0, out.length - within + whole(within) - count.length),
  );
  return out;
}

/** Makes a number that is written as text longer. */
function withDigits(bytes: Uint8Array, whole: Whole): Uint8Array {
  const at = digitIn(bytes, whole);
  const digits = new Uint8Array(1 + whole(400)).fill(0x39);
  return joined(bytes.subarray(0, at), digits, bytes.subarray(at));
}

/** Changes a digit, so that the file stays one of its format. */
function withAnotherDigit(bytes: Uint8Array, whole: Whole): Uint8Array {
  const out = bytes.slice();
  out[digitIn(bytes, whole)] = 0x30 + whole(10);
  return out;
}

function digitIn(bytes: Uint8Array, whole: Whole): number {
  const places = Array.from(bytes.keys()).filter((at) => bytes[at]! >= 0x30 && bytes[at]! <= 0x39);
  return places[whole(places.length)] ?? 0;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
