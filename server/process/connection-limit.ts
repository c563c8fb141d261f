import { readFileSync } from "node:fs";
import type { Logger } from "pino";
import type { ListenOptions } from "../http/listen.ts";

/** Descriptors kept back for snapshots, threads, the state, metrics and backtests: a process uses 40 to 60. */
const KEPT_BACK = 128;
/** The share of a limit so low that nothing would be left. */
const SHARE_OF_LOW_LIMIT = 1 / 4;
/** While connections are refused, one line per interval has their number. */
const LINE_MS = 10_000;

const TOO_MANY =
  "connections were closed, because this process may have no more files open: raise its limit (LimitNOFILE, ulimit -n)";

/**
 * How many connections a server takes, by the process's limit of open files. Without this, connections would take the
 * last descriptor, and everything else that needs one would fail: the state file, a new snapshot, a backtest process. The
 * socket library, moreover, tries again without a pause to take a connection that it cannot take.
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

/** Infinity where the system does not tell. */
function openFilesLimit(): number {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    const [, limit] = /^Max open files +(\d+)/m.exec(limits) ?? [];
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
