import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { init } from "talib-web";

/** What of the compiled module is used here. */
interface TalibModule {
  readonly HEAPF64: Float64Array;
  readonly HEAP32: Int32Array;
  ccall(name: string, result: "number", types: readonly string[], args: readonly number[]): number;
}

export interface TalibCall {
  readonly inputs: readonly Float64Array[];
  /** Periods, multipliers and moving-average types (0 simple), in the order of TA-Lib's header. */
  readonly options?: readonly number[];
  readonly outputs: number;
}

export type Talib = (name: string, call: TalibCall) => readonly Float64Array[];

/**
 * TA-Lib itself, compiled to WebAssembly, as the reference for the indicators it has: a function
 * that calls TA_`name` and returns each output as a column as long as the input, NaN before its first
 * result. TA-Lib accepts no NaN: rows without a number in front of an input are left out.
 *
 * The module is called directly, past the functions that talib-web wraps around it: those pass one address
 * for "first result" and "number of results" (which leaves STDDEV half done and STOCH at zero), and read
 * and write one element past the end. In Node its loader only takes the module from a `data:` URL.
 */
export async function startTalib(): Promise<Talib> {
  const main = createRequire(import.meta.url).resolve("talib-web");
  const wasm = readFileSync(new URL("talib.wasm", `file://${main}`));
  const url = `data:application/wasm;base64,${wasm.toString("base64")}`;
  const module = (await init(url)) as TalibModule;
  return (name, call) => callTalib(module, name, call);
}

function callTalib(module: TalibModule, name: string, call: TalibCall): readonly Float64Array[] {
  const { inputs, options = [], outputs } = call;
  const length = inputs[0]!.length;
  const from = Math.max(...inputs.map((input) => input.findIndex(Number.isFinite)));
  const invoke = (each: string, args: readonly number[]) =>
    module.ccall(
      each,
      "number",
      args.map(() => "number"),
      args,
    );
  const allocate = (bytes: number) => invoke("malloc", [bytes]);
  const counters = allocate(8);
  const columns = Array.from({ length: inputs.length + outputs }, () => allocate(8 * length));
  for (const [index, input] of inputs.entries()) {
    module.HEAPF64.set(input.subarray(from), columns[index]! / 8);
  }
  const ins = columns.slice(0, inputs.length);
  const outs = columns.slice(inputs.length);
  const args = [0, length - from - 1, ...ins, ...options, counters, counters + 4, ...outs];
  const failure = invoke(`TA_${name}`, args);
  const [first, count] = module.HEAP32.subarray(counters / 4, counters / 4 + 2);
  const results = outs.map((address) => {
    const column = new Float64Array(length).fill(NaN);
    column.set(module.HEAPF64.subarray(address / 8, address / 8 + count!), from + first!);
    return column;
  });
  for (const address of [counters, ...columns]) invoke("free", [address]);
  if (failure !== 0) throw new Error(`TA_${name} failed with code ${failure}`);
  return results;
}

/**
 * Largest relative difference of two columns, over the rows on which the reference has a value;
 * Infinity where we have none there. Below `unit` times 1e-3 a difference is measured against that: the
 * small difference of large numbers has no more digits than they have.
 */
export function largestDifference(
  column: Float64Array,
  reference: Float64Array,
  unit: (row: number) => number,
): number {
  let largest = 0;
  for (let row = 0; row < reference.length; row++) {
    const [got, wanted] = [column[row]!, reference[row]!];
    if (Number.isNaN(wanted) || got === wanted) continue;
    const size = Math.max(Math.abs(got), Math.abs(wanted), unit(row) * 1e-3);
    const difference = Math.abs(got - wanted) / size;
    largest = Math.max(largest, Number.isNaN(difference) ? Infinity : difference);
  }
  return largest;
}
