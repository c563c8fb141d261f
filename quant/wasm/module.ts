/**
 * Just enough WebAssembly to write a loop that works on two columns at a time, which JavaScript cannot
 * express. An instruction is a list of bytes and takes its operands as lists before it, so a loop reads as
 * nested calls, and building it needs no tool. Names, opcodes and encodings are those of the WebAssembly
 * core specification 2.0, sections 2.4 and 5.4.
 *
 * Start with `test/quant/wasm/module.test.ts`: its `thirds` is the smallest loop. The three that matter are
 * `cscv-kernel.ts`, `matrix-kernel.ts` and `side-by-side.ts` in `quant/overfitting/`; tests compare each
 * with a plain version, bit by bit.
 */
export type Code = readonly number[];

type ValueType = "i32" | "f64" | "v128";

/** Bytes of a v128, which holds a pair of doubles. */
export const PAIR_BYTES = 16;

/** A function without a result. Its parameters, then its locals, are numbered in order. */
export interface WasmFunction {
  readonly parameters: readonly ValueType[];
  readonly locals: readonly ValueType[];
  readonly body: Code;
}

/** Memory that both WebAssembly and JavaScript see. It grows in pages and never shrinks. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

const PAGE_BYTES = 65_536;

/** The parts of the global `WebAssembly` used here; the language's own libraries do not type it. */
declare const WebAssembly: {
  readonly Memory: new (limits: { initial: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly validate: (bytes: Uint8Array) => boolean;
  readonly Instance: new (
    module: object,
    imports: { readonly here: { readonly memory: WasmMemory } },
  ) => { readonly exports: unknown };
};

export interface Kernel<Name extends string> {
  readonly call: Readonly<Record<Name, (...operands: number[]) => void>>;
  /** The memory, grown to at least this size. Views taken before it grew are no longer valid. */
  readonly reserve: (bytes: number) => ArrayBuffer;
}

/**
 * Compiles the functions over a memory of their own: scratch space that every call reuses. The `v128`
 * instructions need Node 16.4 or newer on x64 with SSE 4.1 (2008) or on arm64. There is no fallback for
 * other machines, because it would only ever run where nobody tests it.
 */
export function instantiate<Name extends string>(
  functions: Readonly<Record<Name, WasmFunction>>,
): Kernel<Name> {
  const bytes = encodeModule(functions);
  if (!WebAssembly.validate(bytes)) {
    throw new Error(
      "WebAssembly code was refused: it is wrong, or this machine or Node has no WebAssembly SIMD (x64 with SSE 4.1 or arm64 have)",
    );
  }
  const memory = new WebAssembly.Memory({ initial: 1 });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { here: { memory } });
  return {
    call: exports as Record<Name, () => void>, // exports exactly the functions it was given
    reserve(bytes) {
      const missing = bytes - memory.buffer.byteLength;
      if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
      return memory.buffer;
    },
  };
}

const VALUE_TYPES: Readonly<Record<ValueType, number>> = { i32: 0x7f, f64: 0x7c, v128: 0x7b };
const MAGIC_AND_VERSION = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0] as const;
const SECTION = { type: 1, import: 2, function: 3, export: 7, code: 10 } as const;

function encodeModule(functions: Readonly<Record<string, WasmFunction>>): Uint8Array {
  const names = Object.keys(functions);
  const list = Object.values(functions);
  const signatures = list.map(({ parameters }) => [0x60, ...vector(parameters.map(typeOf)), 0]);
  const memory = [...text("here"), ...text("memory"), 0x02, 0x00, 1]; // a memory of at least one page
  return Uint8Array.from([
    ...MAGIC_AND_VERSION,
    ...section(SECTION.type, vector(signatures)),
    ...section(SECTION.import, vector([memory])),
    ...section(SECTION.function, vector(list.map((_, index) => unsigned(index)))),
    ...section(
      SECTION.export,
      vector(names.map((name, at) => [...text(name), 0, ...unsigned(at)])),
    ),
    ...section(SECTION.code, vector(list.map(encodeFunction))),
  ]);
}

function encodeFunction({ locals, body }: WasmFunction): Code {
  const code = [...vector(locals.map((type) => [1, ...typeOf(type)])), ...body, 0x0b];
  return [...unsigned(code.length), ...code];
}

function section(id: number, content: Code): Code {
  return [id, ...unsigned(content.length), ...content];
}

function vector(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()];
}

function text(value: string): Code {
  return vector(Array.from(value, (letter) => [letter.charCodeAt(0)]));
}

function typeOf(type: ValueType): Code {
  return [VALUE_TYPES[type]];
}

/** LEB128: seven bits per byte, the lowest first. */
export function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

/** Signed LEB128: the highest used bit of the last byte is the sign. */
export function signed(value: number): Code {
  const low = value & 0x7f;
  const rest = value >> 7;
  const ends = rest === (low & 0x40 ? -1 : 0);
  return ends ? [low] : [low | 0x80, ...signed(rest)];
}
