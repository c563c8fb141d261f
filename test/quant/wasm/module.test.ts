import { describe, expect, test } from "vitest";
import {
  f64,
  f64x2,
  get,
  i32,
  increase,
  repeatWhile,
  set,
  v128,
  when,
} from "../../../quant/wasm/instructions.ts";
import { instantiate, signed, unsigned } from "../../../quant/wasm/module.ts";

describe("LEB128", () => {
  // The specification's examples are those of the DWARF standard, figures 22 and 23.
  test.each([
    [2, [2]],
    [127, [127]],
    [128, [0x80, 1]],
    [129, [0x81, 1]],
    [130, [0x82, 1]],
    [12857, [0x80 | 57, 100]],
  ])("unsigned %d", (value, bytes) => {
    expect(unsigned(value)).toEqual(bytes);
  });

  test.each([
    [2, [2]],
    [-2, [0x7e]],
    [127, [0x80 | 127, 0]],
    [-127, [0x80 | 1, 0x7f]],
    [128, [0x80, 1]],
    [-128, [0x80, 0x7f]],
    [129, [0x80 | 1, 1]],
    [-129, [0x80 | 0x7f, 0x7e]],
  ])("signed %d", (value, bytes) => {
    expect(signed(value)).toEqual(bytes);
  });
});

describe("a module", () => {
  const [from, into, end] = [0, 1, 2] as const;
  const { reserve, call } = instantiate({
    /** into[k] = |from[k]| / 3, two at a time. */
    thirds: {
      parameters: ["i32", "i32", "i32"],
      locals: ["v128"],
      body: [
        ...set(3, v128.const(Float64Array.of(3, 3))),
        ...repeatWhile(
          i32.ltUnsigned(get(into), get(end)),
          v128.store(get(into), f64x2.div(f64x2.abs(v128.load(get(from))), get(3))),
          increase(from, i32.const(16)),
          increase(into, i32.const(16)),
        ),
      ],
    },
    /** Writes 1 at the address if the number there is above 1000, else the number -300. */
    choose: {
      parameters: ["i32"],
      locals: [],
      body: when(
        f64.gt(f64.load(get(0)), f64.const(1000)),
        [f64.store(get(0), f64.const(1))],
        [f64.store(get(0), f64.const(-300))],
      ),
    },
  });

  test("does to two numbers at a time what JavaScript does to one", () => {
    const values = [-1, 0.1, 7, -1e300, NaN, -0];
    const numbers = new Float64Array(reserve(0));
    numbers.set(values);
    call.thirds(0, 8 * values.length, 16 * values.length);
    const made = Array.from(numbers.subarray(values.length, 2 * values.length));
    expect(made).toEqual(values.map((value) => Math.abs(value) / 3));
  });

  test("takes one way or the other", () => {
    const numbers = new Float64Array(reserve(0), 0, 2);
    numbers.set([1001, 1000]);
    call.choose(0);
    call.choose(8);
    expect(Array.from(numbers)).toEqual([1, -300]);
  });

  test("says why code was refused", () => {
    const body = f64.store(get(0), i32.const(1)); // an i32 operand where f64.store needs a double
    const wrong = { parameters: ["i32"], locals: [], body } as const;
    expect(() => instantiate({ wrong })).toThrow(/has no WebAssembly SIMD/);
  });

  test("has a memory that grows when it has to, and keeps what it held", () => {
    new Float64Array(reserve(0))[0] = 7;
    const size = reserve(0).byteLength;
    expect(reserve(size).byteLength).toBe(size);
    expect(reserve(size + 1).byteLength).toBeGreaterThan(size);
    expect(new Float64Array(reserve(0))[0]).toBe(7);
  });
});
