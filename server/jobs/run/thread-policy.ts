import { readFileSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import koffi from "koffi";

const BELOW_NORMAL = 10;
/**
 * A lower priority than `BELOW_NORMAL`, but not the lowest (19): on a busy machine a job still ends well
 * within its limit.
 */
const LOW_PRIORITY = 15;
/** In thousandths of the memory there is: counted as if this process had half of it more. */
const GOES_FIRST = 500;
const GOES_FIRST_MAX = 1000;
/** From `linux/sched.h`. */
const SCHED_BATCH = 3;
const SCHED_IDLE = 5;
/** `struct sched_param` begins with the priority, which must be 0. musl's is longer than glibc's. */
const SCHED_PARAM_BYTES = 64;

/**
 * Lets requests go before this thread. On Linux each thread has a priority of its own; elsewhere this would
 * change the whole process's.
 */
export function lowerPriority(): void {
  if (process.platform === "linux") setPriority(LOW_PRIORITY);
}

/**
 * Gives this thread, and those it starts from then on, a small share of busy processors. When they have work,
 * they wait until whoever is running pauses. For a thread that must not be starved, because others wait for
 * locks it takes.
 */
export function interruptNobody(): void {
  if (process.platform === "linux") setPriority(BELOW_NORMAL);
  setPolicy(SCHED_BATCH);
}

/**
 * Runs this thread only where nothing else wants to run, and interrupts it for whatever does. A low priority
 * is not enough: such a thread may finish its slice, some 3 ms, while a request waits. Without privileges
 * there is no way back, and if all processors are busy the thread gets next to nothing. Does nothing on
 * systems without such a policy.
 */
export function runOnIdleProcessors(): void {
  setPolicy(SCHED_IDLE); // refused: the low priority has to suffice
}

/**
 * Makes this process the one that Linux ends where memory runs out. It would be the largest, which is one that answers
 * requests.
 */
export function giveUpMemoryFirst(): void {
  if (process.platform !== "linux") return;
  const file = "/proc/self/oom_score_adj";
  try {
    const score = Number(readFileSync(file, "utf8")) + GOES_FIRST;
    writeFileSync(file, String(Math.min(score, GOES_FIRST_MAX)));
  } catch {
    // Without /proc, or one that may not be written, the largest it is.
  }
}

/** Calls `pthread_setschedparam`, because musl refuses `sched_setscheduler`. */
function setPolicy(policy: number): void {
  if (process.platform !== "linux") return;
  const symbols = koffi.load(null); // the C library is part of every process
  const self = symbols.func("void *pthread_self()") as () => bigint;
  const set = symbols.func("int pthread_setschedparam(void *, int, void *)") as (
    thread: bigint,
    policy: number,
    param: Buffer,
  ) => number;
  set(self(), policy, Buffer.alloc(SCHED_PARAM_BYTES));
}
