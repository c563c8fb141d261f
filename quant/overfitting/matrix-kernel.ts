import { f64, f64x2, get, i32, increase, repeatWhile, set, v128 } from "../wasm/instructions.ts";
import { instantiate, PAIR_BYTES } from "../wasm/module.ts";
import type { Code, Kernel, WasmFunction } from "../wasm/module.ts";

/**
 * The loops of `gramMatrix` and `symmetricEigenvalues`, two numbers at a time. No sum is split over lanes:
 * each is added up in the plain order, so the result has the same bits as a scalar loop. Parameters are
 * addresses and distances in bytes.
 */
const NUMBER_BYTES = Float64Array.BYTES_PER_ELEMENT;

/**
 * products(x, y, z, end of z, out): inner products of the pair of columns at x with the pairs at y and at
 * z. A pair is stored row by row, both numbers of a row together. The output is four pairs: for y and then
 * for z, first with first and second with second, then first with second and second with first.
 */
function products(): WasmFunction {
  const [x, y, z, end, out, row, other] = [0, 1, 2, 3, 4, 5, 6] as const;
  const sums = [7, 8, 9, 10] as const;
  const add = (sum: number, factor: Code) =>
    set(sum, f64x2.add(get(sum), f64x2.mul(get(row), factor)));
  return {
    parameters: ["i32", "i32", "i32", "i32", "i32"],
    locals: ["v128", "v128", "v128", "v128", "v128", "v128"],
    body: [
      ...repeatWhile(
        i32.ltUnsigned(get(z), get(end)),
        set(row, v128.load(get(x))),
        set(other, v128.load(get(y))),
        add(sums[0], get(other)),
        add(sums[1], v128.swapped(get(other))),
        set(other, v128.load(get(z))),
        add(sums[2], get(other)),
        add(sums[3], v128.swapped(get(other))),
        increase(x, i32.const(PAIR_BYTES)),
        increase(y, i32.const(PAIR_BYTES)),
        increase(z, i32.const(PAIR_BYTES)),
      ),
      ...sums.flatMap((sum, index) => v128.store(get(out), get(sum), index * PAIR_BYTES)),
    ],
  };
}

/** Rows that one pass of `addRows` takes. */
export const ROWS_AT_ONCE = 4;

/**
 * addRows(row, end of rows, bytes of a row, factors, into, end of into): adds each row times its factor to
 * `into`, in row order. A pass takes four rows, so `into` is read and written once for all four; the number
 * of rows must be a multiple of four.
 */
function addRows(): WasmFunction {
  const [row, rows, rowBytes, factors, into, end] = [0, 1, 2, 3, 4, 5] as const;
  const [at, sum] = [6, 7] as const;
  const addresses = [8, 9, 10, 11] as const;
  const factor = [12, 13, 14, 15] as const;
  return {
    parameters: ["i32", "i32", "i32", "i32", "i32", "i32"],
    locals: ["i32", "v128", "i32", "i32", "i32", "i32", "v128", "v128", "v128", "v128"],
    body: repeatWhile(
      i32.ltUnsigned(get(row), get(rows)),
      ...addresses.map((address, index) => [
        ...set(address, get(row)),
        ...set(factor[index]!, f64x2.splat(f64.load(get(factors), index * NUMBER_BYTES))), // one factor per row
        ...increase(row, get(rowBytes)),
      ]),
      set(at, get(into)),
      repeatWhile(
        i32.ltUnsigned(get(at), get(end)),
        set(sum, v128.load(get(at))),
        ...addresses.map((address, index) => [
          ...set(sum, f64x2.add(get(sum), f64x2.mul(v128.load(get(address)), get(factor[index]!)))),
          ...increase(address, i32.const(PAIR_BYTES)),
        ]),
        v128.store(get(at), get(sum)),
        increase(at, i32.const(PAIR_BYTES)),
      ),
      increase(factors, i32.const(ROWS_AT_ONCE * NUMBER_BYTES)),
    ),
  };
}

/** subtract(row, end of row, v, w, v of the row, w of the row): row - (its v times w + its w times v). */
function subtract(): WasmFunction {
  const [row, end, v, w, ownV, ownW, vs, ws] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
  const both = f64x2.add(
    f64x2.mul(get(vs), v128.load(get(w))),
    f64x2.mul(get(ws), v128.load(get(v))),
  );
  return {
    parameters: ["i32", "i32", "i32", "i32", "f64", "f64"],
    locals: ["v128", "v128"],
    body: [
      ...set(vs, f64x2.splat(get(ownV))),
      ...set(ws, f64x2.splat(get(ownW))),
      ...repeatWhile(
        i32.ltUnsigned(get(row), get(end)),
        v128.store(get(row), f64x2.sub(v128.load(get(row)), both)),
        increase(row, i32.const(PAIR_BYTES)),
        increase(v, i32.const(PAIR_BYTES)),
        increase(w, i32.const(PAIR_BYTES)),
      ),
    ],
  };
}

const FUNCTIONS = { products: products(), addRows: addRows(), subtract: subtract() } as const;

let compiled: Kernel<keyof typeof FUNCTIONS> | undefined;

/** Compiled on first use; one per thread. */
export function matrixKernel(): Kernel<keyof typeof FUNCTIONS> {
  compiled ??= instantiate(FUNCTIONS);
  return compiled;
}
