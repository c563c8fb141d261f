/** Whole numbers of a linear congruential generator, so that Python makes the same panel to the last bit. */
function uniforms(seed: number): () => number {
  let state = BigInt(seed);
  return () => {
    state = (1_103_515_245n * state + 12_345n) % 2_147_483_648n;
    return Number(state) / 2 ** 31 - 0.5;
  };
}

/** The columns of `made_up` in references.py: returns with autocorrelation 0.4. */
export function madeUpPanel(rows: number, columns: number, seed: number): Float64Array[] {
  const next = uniforms(seed);
  return Array.from({ length: columns }, (_, column) => {
    let before = 0;
    return Float64Array.from({ length: rows }, () => {
      before = 0.4 * before + (next() + next() + next()) / 50;
      return before + 0.0002 * (column - 5);
    });
  });
}
