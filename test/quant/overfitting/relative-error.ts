/** Error of a figure relative to the expected value; absolute when 0 is expected. */
export function relativeError(got: number, expected: number): number {
  if (Object.is(got, expected)) return 0;
  return expected === 0 ? Math.abs(got) : Math.abs(got / expected - 1);
}
