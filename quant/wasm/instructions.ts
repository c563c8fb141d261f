import { signed, unsigned } from "./module.ts";
import type { Code } from "./module.ts";

/** Instructions of a WebAssembly function, named as in the specification. Operands come first. */

const VECTOR = 0xfd;
/** The type of a block that leaves no value on the stack. */
const NOTHING = 0x40;

const plain =
  (...opcode: number[]) =>
  (...operands: Code[]): Code => [...operands.flat(), ...opcode];
const simd = (opcode: number) => plain(VECTOR, ...unsigned(opcode));

/** Reads at an address plus a fixed offset. The alignment, which is only a hint, is left at its minimum. */
const load =
  (...opcode: number[]) =>
  (address: Code, offset = 0): Code => [...address, ...opcode, 0, ...unsigned(offset)];
const store =
  (...opcode: number[]) =>
  (address: Code, value: Code, offset = 0): Code =>
    [address, value, opcode, [0], unsigned(offset)].flat();

export const get = (local: number): Code => [0x20, ...unsigned(local)];
export const set = (local: number, value: Code): Code => [...value, 0x21, ...unsigned(local)];
/** Adds to a local i32. */
export const increase = (local: number, by: Code): Code => set(local, i32.add(get(local), by));

/** Runs the body at least once, and repeats it as long as the condition holds after it. */
export const repeatWhile = (condition: Code, ...body: Code[]): Code =>
  [[0x03, NOTHING], body.flat(), condition, [0x0d, 0, 0x0b]].flat();
export const when = (
  condition: Code,
  then: readonly Code[],
  otherwise: readonly Code[] = [],
): Code => [condition, [0x04, NOTHING], then.flat(), [0x05], otherwise.flat(), [0x0b]].flat();

export const i32 = {
  const: (value: number): Code => [0x41, ...signed(value)],
  load: load(0x28),
  store: store(0x36),
  eqz: plain(0x45),
  add: plain(0x6a),
  sub: plain(0x6b),
  and: plain(0x71),
  or: plain(0x72),
  shl: plain(0x74),
  ltSigned: plain(0x48),
  ltUnsigned: plain(0x49),
  wrapI64: plain(0xa7),
};

export const f64 = {
  const: (value: number): Code => [0x44, ...new Uint8Array(Float64Array.of(value).buffer)],
  load: load(0x2b),
  store: store(0x39),
  eq: plain(0x61),
  gt: plain(0x64),
};

const SECOND_LANE_FIRST = [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7] as const;

export const v128 = {
  load: load(VECTOR, 0x00),
  store: store(VECTOR, 0x0b),
  const: (lanes: Float64Array | BigInt64Array): Code => [
    VECTOR,
    0x0c,
    ...new Uint8Array(lanes.buffer),
  ],
  /** Bits of the first operand where the mask has ones, of the second elsewhere. */
  bitselect: simd(0x52),
  /** The two doubles in swapped order: i8x16.shuffle with the bytes of the second lane first. */
  swapped: (value: Code): Code => [...value, ...value, VECTOR, 0x0d, ...SECOND_LANE_FIRST],
};

/** Two doubles. A comparison gives all ones or zeros in a lane: -1 or 0 as an integer. */
export const f64x2 = {
  splat: simd(0x14),
  extractLane: (lane: 0 | 1, value: Code): Code => [...value, VECTOR, 0x21, lane],
  lt: simd(0x49),
  gt: simd(0x4a),
  abs: simd(0xec),
  add: simd(0xf0),
  sub: simd(0xf1),
  mul: simd(0xf2),
  div: simd(0xf3),
  /** The second operand where it is larger, the first elsewhere. */
  pmax: simd(0xf7),
};

export const i64x2 = {
  extractLane: (lane: 0 | 1, value: Code): Code => [...value, VECTOR, 0x1d, lane],
  add: simd(0xce),
  sub: simd(0xd1),
};
