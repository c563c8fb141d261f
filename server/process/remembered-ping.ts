/** Load balancers ask far more often than a store changes. */
const KEPT_MS = 1_000;

/** Whether a store answers, asked once a second at most. */
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
