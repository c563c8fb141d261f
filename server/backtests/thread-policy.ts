import { setPriority } from "node:os";
import koffi from "koffi";

const BELOW_NORMAL = 10;
/** Below that and above the lowest (19): on a machine that is busy with other things a job still ends well within its limit. */
const LOW_PRIORITY = 15;
/** From `linux/sched.h`. */
const SCHED_BATCH = 3;
const SCHED_IDLE = 5;
/** `struct sched_param` begins with the priority, which has to be 0; musl's is longer than glibc's. */
const SCHED_PARAM_BYTES = 64;

/** Requests come before this thread. On Linux a priority is a thread's own; elsewhere it would be the whole process's. */
export function lowerPriority(): void {
  if (process.platform === "linux") setPriority(LOW_PRIORITY);
}

/**
 * This thread, and those it starts from then on, get a small share of busy processors, and when they have something to do
 * they wait for whoever is at work to pause. For a thread that must not be starved, since others wait for locks it takes.
 */
export function interruptNobody(): void {
  if (process.platform === "linux") setPriority(BELOW_NORMAL);
  setPolicy(SCHED_BATCH);
}

/**
 * This thread runs where nothing else wants to, and stops in the middle for whatever does: a thread of low priority is
 * let finish its slice, some 3 ms, while a request waits. Without privileges there is no way back, and with all
 * processors busy the thread gets next to nothing. Where the system has no such policy, nothing changes.
 */
export function runOnIdleProcessors(): void {
  setPolicy(SCHED_IDLE); // refused: the low priority has to do
}

/** `pthread_setschedparam`, because `sched_setscheduler` of musl refuses. */
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
