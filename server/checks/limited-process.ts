import { spawn } from "node:child_process";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { deserialize } from "node:v8";

export interface ProcessLimits {
  /** CPU time until the file is read, which the process says by `isRead` of `sent-file.ts`. */
  readonly readSeconds: number;
  /** Of the clock, in all. */
  readonly seconds: number;
  readonly heapMb: number;
  /** Memory outside of the heap: the file, its columns, and what an archive unpacks to. */
  readonly otherMb: number;
}

export interface ProcessTask {
  /** The built file of the process. */
  readonly program: string;
  /** One line. */
  readonly order: string;
  readonly file: readonly Uint8Array[];
  readonly limits: ProcessLimits;
}

/** Why a process has no answer; `lost`: it was ended from outside. */
export type Ended =
  | { readonly kind: "timed_out" | "slow_to_read"; readonly seconds: number }
  | { readonly kind: "out_of_memory" | "lost" };

/** With a helper thread of V8 a check keeps two processors busy, and reads wait up to three times as long. */
const ONE_THREAD = "--single-threaded";
/**
 * No core dump, which would keep the file; all memory, in KiB; CPU seconds until the file is read, and in all. The
 * kernel holds these, also once the program that started the process is gone.
 */
const LIMITED =
  'ulimit -c 0; ulimit -d "$1"; ulimit -S -t "$2"; ulimit -H -t "$3"; shift 3; exec "$@"';

/**
 * Gives a file to a process of its own and resolves with what that answers. However damaged a file is, whatever its
 * reader makes of it, the process takes no more time and memory than it may. It inherits no environment, which may
 * hold secrets.
 */
export async function answerOfProcess<Answer>(
  { program, order, file, limits }: ProcessTask,
  signal?: AbortSignal,
): Promise<Answer | Ended> {
  const { readSeconds, seconds, heapMb, otherMb } = limits;
  const kib = (heapMb + otherMb) * 1024;
  const ulimits = [kib, Math.ceil(readSeconds), Math.ceil(seconds) + 1].map(String); // CPU time is less than the clock's
  const node = [process.execPath, `--max-old-space-size=${heapMb}`, ONE_THREAD, program];
  const child = spawn("/bin/sh", ["-c", LIMITED, "sh", ...ulimits, ...node], {
    stdio: ["pipe", "pipe", "ignore"],
    env: {},
  });
  const kill = () => child.kill("SIGKILL");
  signal?.addEventListener("abort", kill);
  let isLate = false;
  const timer = setTimeout(() => (isLate = kill()), seconds * 1000);
  child.stdin.on("error", () => {}); // it has ended, which is noticed below
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
