import type { SquareMatrix } from "./correlation-matrix.ts";

/** QL usually finds an eigenvalue in one or two steps. A matrix that needs more than this holds NaN. */
const MAX_STEPS = 60;

/**
 * Eigenvalues of a symmetric matrix, ascending: Householder's reduction to tridiagonal form, then implicit
 * QL (EISPACK's TRED1 and TQL1; Golub and Van Loan, "Matrix Computations", 8.3). This takes about 4/3 n^3
 * operations; at n = 286 Jacobi's method takes some twenty times as many.
 */
export function symmetricEigenvalues(matrix: SquareMatrix): Float64Array {
  const { diagonal, beside } = reduce(matrix);
  diagonalise(diagonal, beside);
  return diagonal.sort();
}

/**
 * The tridiagonal form, in which `beside[i]` couples i and i + 1: each column in turn is reflected onto its first element
 * below the diagonal.
 */
function reduce({ size, values }: SquareMatrix) {
  const a = values.slice();
  const diagonal = new Float64Array(size);
  const beside = new Float64Array(size);
  const reflector = new Float64Array(size);
  const product = new Float64Array(size);
  for (let k = 0; k < size; k++) {
    diagonal[k] = a[k * size + k]!;
    if (k + 1 >= size) break;
    let square = 0;
    for (let i = k + 1; i < size; i++) {
      reflector[i] = a[k * size + i]!;
      square += reflector[i]! * reflector[i]!;
    }
    const head = reflector[k + 1]!;
    const length = Math.sqrt(square);
    beside[k] = head > 0 ? -length : length;
    if (length === Math.abs(head)) {
      beside[k] = head; // nothing below it to eliminate
      continue;
    }
    reflector[k + 1] = head - beside[k]!;
    reflectBothSides({ a, size, from: k + 1, reflector, product });
  }
  return { diagonal, beside };
}

/**
 * A - v w' - w v' with w = 2 (A v - (v'A v / v'v) v) / v'v, on the rows and columns from `from`, in both triangles. A
 * product starts with the diagonal's part and adds the rows' parts in order.
 */
function reflectBothSides(input: {
  readonly a: Float64Array;
  readonly size: number;
  readonly from: number;
  readonly reflector: Float64Array;
  readonly product: Float64Array;
}): void {
  const { a, size, from, reflector: v, product: w } = input;
  for (let i = from; i < size; i++) w[i] = a[i * size + i]! * v[i]!;
  for (let i = from; i < size; i++) {
    const row = i * size;
    const factor = v[i]!;
    for (let j = from; j < i; j++) w[j]! += a[row + j]! * factor;
    for (let j = i + 1; j < size; j++) w[j]! += a[row + j]! * factor;
  }
  let square = 0;
  let inner = 0;
  for (let i = from; i < size; i++) {
    square += v[i]! * v[i]!;
    inner += w[i]! * v[i]!;
  }
  for (let i = from; i < size; i++) w[i] = (2 * (w[i]! - (inner / square) * v[i]!)) / square;
  for (let i = from; i < size; i++) {
    const row = i * size;
    const [one, other] = [v[i]!, w[i]!];
    for (let j = from; j < size; j++) a[row + j]! -= one * w[j]! + other * v[j]!;
  }
}

/**
 * Implicit QL with Wilkinson's shift, in place. A coupling is negligible if it is small beside the largest row, as in
 * TQL1 (which takes the largest so far). Beside its own two rows it might never be small: where columns are copies of
 * a few others, most rows hold nothing but rounding of the largest eigenvalue, which each step renews.
 */
function diagonalise(d: Float64Array, e: Float64Array): void {
  let largest = 0;
  for (let i = 0; i < d.length; i++) largest = Math.max(largest, Math.abs(d[i]!) + Math.abs(e[i]!));
  const negligible = Number.EPSILON * largest;
  for (let low = 0; low < d.length; low++) {
    for (let step = 0; ; step++) {
      const high = blockEnd(e, low, negligible);
      if (high === low) break;
      if (step === MAX_STEPS) throw new RangeError("the matrix has no real eigenvalues");
      chase(d, e, low, high);
    }
  }
}

/** Last row of the block that starts at `low`: the couplings within it are not negligible. */
function blockEnd(e: Float64Array, low: number, negligible: number): number {
  let high = low;
  while (high < e.length - 1 && !(Math.abs(e[high]!) <= negligible)) high++;
  return high;
}

/** One QL step: rotations from the block's last row up to its first. */
function chase(d: Float64Array, e: Float64Array, low: number, high: number): void {
  const half = (d[low + 1]! - d[low]!) / (2 * e[low]!);
  const root = Math.hypot(half, 1);
  let g = d[high]! - d[low]! + e[low]! / (half + (half >= 0 ? root : -root));
  let sine = 1;
  let cosine = 1;
  let carried = 0;
  for (let i = high - 1; i >= low; i--) {
    const f = sine * e[i]!;
    const b = cosine * e[i]!;
    const r = Math.hypot(f, g);
    e[i + 1] = r;
    if (r === 0) {
      d[i + 1]! -= carried;
      e[high] = 0;
      return;
    }
    sine = f / r;
    cosine = g / r;
    const shifted = d[i + 1]! - carried;
    const turned = (d[i]! - shifted) * sine + 2 * cosine * b;
    carried = sine * turned;
    d[i + 1] = shifted + carried;
    g = cosine * turned - b;
  }
  d[low]! -= carried;
  e[low] = g;
  e[high] = 0;
}
