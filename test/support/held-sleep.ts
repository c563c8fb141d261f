import { EventEmitter, once } from "node:events";

/** A `sleep` in which all callers wait until `wakeAll`, for tests of concurrent waits. */
export function heldSleep() {
  const sleepers = new EventEmitter();
  return {
    sleep: async (ms: number): Promise<void> => {
      const woken = once(sleepers, "woken");
      sleepers.emit("asleep", ms);
      await woken;
    },
    /** How long the next one wants to wait. */
    nextMs: async (): Promise<number> => {
      const [ms] = (await once(sleepers, "asleep")) as [number];
      return ms;
    },
    wakeAll: () => void sleepers.emit("woken"),
  };
}
