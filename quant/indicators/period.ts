/** Throws RangeError unless `period` is a whole number of days, at least `least`. */
export function checkPeriod(name: string, period: number, least: number = 1): void {
  if (!Number.isSafeInteger(period) || period < least) {
    throw new RangeError(`${name} must be a whole number from ${least}, got ${period}`);
  }
}

/** Throws RangeError unless `factor` is a finite number above zero. */
export function checkFactor(name: string, factor: number): void {
  if (!Number.isFinite(factor) || factor <= 0) {
    throw new RangeError(`${name} must be a finite number above 0, got ${factor}`);
  }
}
