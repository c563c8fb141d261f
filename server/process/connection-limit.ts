import { readFileSync } from "node:fs";
import type { Logger } from "pino";
import type { ListenOptions } from "../http/listen.ts";

/** File descriptors left for snapshots, threads, the state, metrics and backtests, which take 40 to 60. */
const KEPT_BACK = 128;
/** The share of the limit that connections get where it is too low for that. */
const SHARE_OF_LOW_LIMIT = 1 / 4;
/** While connections are refused, the log has their number once in this interval. */
const LINE_MS = 10_000;

const TOO_MANY =
  "connections were closed, because this process may have no more files open: raise its limit (LimitNOFILE, ulimit -n)";

/**
 * How many connections a server takes, by the process's limit of open files. Without a limit, connections would take the
 * last file descriptor, and the state file, a new snapshot or a backtest process could not be opened. The socket library
 * would also retry without a pause to accept a connection for which there is no descriptor.
 */
export function connectionLimit(
  log: Pick<Logger, "warn">,
  monotonicMs: () => number,
  openFilesMax = openFilesLimit(),
): Pick<ListenOptions, "connectionsMax" | "onTooMany"> {
  const connectionsMax = Math.max(openFilesMax - KEPT_BACK, openFilesMax * SHARE_OF_LOW_LIMIT);
  let silentUntilMs = Number.NEGATIVE_INFINITY;
  let refused = 0;
  return {
    connectionsMax,
    onTooMany() {
      refused++;
      const nowMs = monotonicMs();
      if (nowMs < silentUntilMs) return;
      silentUntilMs = nowMs + LINE_MS;
      log.warn({ open_files_max: openFilesMax, refused }, TOO_MANY);
      refused = 0;
    },
  };
}

/** Infinity where the system does not say. */
function openFilesLimit(): number {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    const [, limit] = /^Max open files +(\d+)/m.exec(limits) ?? [];
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
