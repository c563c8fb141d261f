/**
 * When requests are due, in milliseconds from the start: a Poisson process, as requests of many independent clients
 * arrive. Ascending, and fixed before the first request is sent: a slow answer delays no later request's due time,
 * so that a latency counted from it leaves nothing out (no coordinated omission).
 *
 * `uniform` draws from (0, 1).
 */
export function poissonArrivals(
  perSecond: number,
  seconds: number,
  uniform: () => number,
): Float64Array {
  if (!(perSecond > 0 && seconds > 0)) {
    throw new RangeError(`expected a rate and a duration above 0, got ${perSecond} and ${seconds}`);
  }
  const meanGapMs = 1000 / perSecond;
  const endMs = seconds * 1000;
  const due: number[] = [];
  for (let atMs = gap(); atMs < endMs; atMs += gap()) due.push(atMs);
  return Float64Array.from(due);

  /** Exponential, by inversion. */
  function gap(): number {
    return -Math.log(uniform()) * meanGapMs;
  }
}
