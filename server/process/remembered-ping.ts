/** Load balancers ask far more often than a store fails or recovers. */
const KEPT_MS = 1_000;

/** A function that says whether a store answers. It pings the store at most once a second. */
export function rememberedPing(
  ping: () => unknown,
  monotonicMs: () => number,
): () => Promise<boolean> {
  let askedMs = -Infinity;
  let answered: Promise<boolean> = Promise.resolve(false);
  return () => {
    if (monotonicMs() - askedMs >= KEPT_MS) {
      askedMs = monotonicMs();
      answered = new Promise((resolve) => resolve(ping())).then(
        () => true,
        () => false,
      );
    }
    return answered;
  };
}
