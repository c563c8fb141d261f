import { spawn } from "node:child_process";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { deserialize } from "node:v8";

export interface ProcessLimits {
  /** CPU time until the file is read, which the process reports by calling `isRead`. */
  readonly readSeconds: number;
  readonly seconds: number;
  readonly heapMb: number;
  /** Memory outside of the heap: the file, its columns, and what an archive unpacks to. */
  readonly otherMb: number;
}

export interface ProcessTask {
  /** What Node runs, and its arguments. */
  readonly program: readonly string[];
  readonly order: string;
  readonly file: readonly Uint8Array[];
  readonly limits: ProcessLimits;
}

/** Why a process has no answer. `lost` means that something else ended it. */
export type Ended =
  | { readonly kind: "timed_out" | "slow_to_read"; readonly seconds: number }
  | { readonly kind: "out_of_memory" | "lost" };

/** V8's helper threads would keep a second processor busy, and other requests would wait up to three times as long. */
const ONE_THREAD = "--single-threaded";
/**
 * The limits that the kernel enforces, even after the program that started the process is gone: no core dump, which would
 * keep the file; memory in KiB; CPU seconds until the file is read, and in total.
 */
const LIMITED =
  'ulimit -c 0; ulimit -d "$1"; ulimit -S -t "$2"; ulimit -H -t "$3"; shift 3; exec "$@"';

/**
 * Gives a file to a process of its own and resolves with the answer. However damaged the file is, the process takes no
 * more time and memory than its limits allow. It does not inherit the environment, which may hold secrets.
 */
export async function answerOfProcess<Answer>(
  { program, order, file, limits }: ProcessTask,
  signal?: AbortSignal,
): Promise<Answer | Ended> {
  const { readSeconds, seconds, heapMb, otherMb } = limits;
  const kib = (heapMb + otherMb) * 1024;
  const ulimits = [kib, Math.ceil(readSeconds), Math.ceil(seconds) + 1].map(String); // never reached before the limit of the clock
  const node = [process.execPath, `--max-old-space-size=${heapMb}`, ONE_THREAD, ...program];
  const child = spawn("/bin/sh", ["-c", LIMITED, "sh", ...ulimits, ...node], {
    stdio: ["pipe", "pipe", "ignore"],
    env: {},
  });
  const kill = () => child.kill("SIGKILL");
  signal?.addEventListener("abort", kill);
  let isLate = false;
  const timer = setTimeout(() => (isLate = kill()), seconds * 1000);
  child.stdin.on("error", () => {}); // it has ended, which `close` reports
  child.stdin.write(`${order}\n`);
  for (const part of file) child.stdin.write(part);
  child.stdin.end();
  const [answer, [code, by]] = await Promise.all([buffer(child.stdout), once(child, "close")]);
  clearTimeout(timer);
  signal?.removeEventListener("abort", kill);
  if (code === 0 && answer.length > 0) return deserialize(answer) as Answer;
  if (isLate) return { kind: "timed_out", seconds };
  if (by === "SIGXCPU") return { kind: "slow_to_read", seconds: readSeconds };
  return { kind: by === "SIGABRT" ? "out_of_memory" : "lost" };
}
