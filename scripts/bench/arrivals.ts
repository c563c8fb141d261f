/**
 * When requests are due, in milliseconds from the start: a Poisson process, which is how requests of many
 * independent clients arrive. The instants ascend and are fixed before the first request is sent. A slow
 * answer therefore does not delay later due times, and a latency counted from them leaves nothing out (no
 * coordinated omission).
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
