import { describe, expect, test } from "vitest";
import { gramMatrix } from "../../../quant/overfitting/correlation-matrix.ts";
import { matrixKernel } from "../../../quant/overfitting/matrix-kernel.ts";
import { seededUniform } from "../../support/made-up-bars.ts";

/** Numbers of very different size, so that another order of addition would show in the last bits. */
function numbers(seed: number, count: number): Float64Array {
  const uniform = seededUniform(seed);
  return Float64Array.from({ length: count }, () => (uniform() - 0.5) * 10 ** (6 * uniform()));
}

/** The sum of products from the first row on, as a lane of the kernel computes it. */
function plainProduct(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let row = 0; row < one.length; row++) sum += one[row]! * other[row]!;
  return sum;
}

describe("gramMatrix", () => {
  test.each([1, 2, 3, 4, 5, 13, 26])("is the plain loop to the bit, of %d columns", (size) => {
    const columns = Array.from({ length: size }, (_, index) => numbers(index + 1, 101));
    const expected = columns.flatMap((one) => columns.map((other) => plainProduct(one, other)));
    expect(Array.from(gramMatrix(columns).values)).toEqual(expected);
  });
});

describe("the kernel of the eigenvalues", () => {
  const WIDTH = 6;
  const ROWS = 8;
  const { call, reserve } = matrixKernel();
  const bytes = (count: number) => count * Float64Array.BYTES_PER_ELEMENT;

  test("adds rows times their factors in their order", () => {
    const [rows, factors, before] = [numbers(1, ROWS * WIDTH), numbers(2, ROWS), numbers(3, WIDTH)];
    const memory = new Float64Array(reserve(bytes(1000)), 0, 1000);
    const [factorsAt, into] = [rows.length, rows.length + ROWS];
    memory.set([...rows, ...factors, ...before]);
    call.addRows(
      0,
      bytes(rows.length),
      bytes(WIDTH),
      bytes(factorsAt),
      bytes(into),
      bytes(into + WIDTH),
    );
    const expected = before.map((sum, column) =>
      factors.reduce((all, factor, row) => all + rows[row * WIDTH + column]! * factor, sum),
    );
    expect(memory.subarray(into, into + WIDTH)).toEqual(expected);
  });

  test("subtracts both products at once", () => {
    const [row, v, w] = [numbers(4, WIDTH), numbers(5, WIDTH), numbers(6, WIDTH)];
    const memory = new Float64Array(reserve(bytes(1000)), 0, 1000);
    memory.set([...row, ...v, ...w]);
    call.subtract(0, bytes(WIDTH), bytes(WIDTH), bytes(2 * WIDTH), 0.3, -7.1);
    const expected = row.map((value, column) => value - (0.3 * w[column]! + -7.1 * v[column]!));
    expect(memory.subarray(0, WIDTH)).toEqual(expected);
  });
});
