const DAY_MS = 86_400_000;
/** The last complete day is yesterday, and until the nightly run the day before. */
const AGE_MAX_DAYS = 2;

/** How many days ago prices end whose last complete day is `asOf`; undefined for up to two. */
export function staleDays(asOf: number, nowMs: number): number | undefined {
  const days = Math.floor(nowMs / DAY_MS) - asOf;
  return days > AGE_MAX_DAYS ? days : undefined;
}
