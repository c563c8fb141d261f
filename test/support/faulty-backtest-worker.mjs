/** A worker that goes wrong in the way its task's strategy names. Plain JavaScript: threads do not start from TypeScript. */
export function answer(task) {
  const { strategy } = task.request;
  if (strategy === "hang") for (;;);
  if (strategy === "slow") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200);
  if (strategy === "exit") process.exit(1);
  if (strategy === "heap") {
    const kept = [];
    for (;;) kept.push(Array.from({ length: 1e5 }, (_, index) => ({ index })));
  }
  if (strategy === "throw") throw new Error("thrown on purpose");
  if (strategy === "late") setTimeout(() => process.exit(1), 1);
  return { ok: true, result: new TextEncoder().encode("{}") };
}
