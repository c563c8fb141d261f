/** The made-up series of the reference: a sum of three uniform numbers a bar, by the minimal standard generator. */
export function series(seed: number, length: number, mean: number, deviation: number) {
  let state = seed;
  const uniform = () => {
    state = (16807 * state) % 2147483647;
    return state / 2147483647;
  };
  return Float64Array.from(
    { length },
    () => mean + deviation * 2 * (uniform() + uniform() + uniform() - 1.5),
  );
}

const joined = (a: Float64Array, b: Float64Array) => Float64Array.from([...a, ...b]);

export const A = series(1, 750, 0.003, 0.02);
export const P = [0, 1, 2, 3, 4].map((place) =>
  series(100 + place, 500, place === 0 ? 0.0045 : 0, 0.02),
);
export const L0 = series(7, 420, -0.0025, 0.03);
export const L1 = series(11, 600, 0.0022, 0.02);
export const L2 = joined(series(13, 300, 0.004, 0.02), series(17, 300, -0.002, 0.02));
export const L3 = series(19, 300, -0.004, 0.02);
export const L4 = series(23, 94, 0.0012, 0.04);
