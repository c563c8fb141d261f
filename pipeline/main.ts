import { relative } from "node:path";
import type { Logger } from "pino";
import { SnapshotError } from "../snapshots/snapshot-error.ts";
import { systemCodeOf } from "../snapshots/system-code.ts";
import { loadBoard } from "./board.ts";
import { openComputePool } from "./compute-threads.ts";
import { logProgress, stepLine, textProgress } from "./terminal-progress.ts";
import type { Progress, StepReport } from "./steps.ts";
import { runPipeline, type RunResult } from "./run.ts";
import { InputError } from "./sources/input-error.ts";
import { openSource } from "./sources/open-source.ts";
import { stagesOf, type StageOptions } from "./stages.ts";
import { ROBUSTNESS_DRAWS_DEFAULT } from "./stages/dataset-robustness.ts";
import { INDEX_DRAWS_DEFAULT } from "./stages/overfitting-index.ts";
import { versions } from "./versions.ts";

export interface PipelineOptions extends Partial<StageOptions> {
  readonly source: string;
  readonly board?: string | undefined;
  readonly out: string;
  readonly asOf?: string | undefined;
  /** Base address that replaces the exchange's own. */
  readonly exchangeUrl?: string | undefined;
  /** Keep the last row of a csv file that ends before the others. */
  readonly keepLastRows?: "yes" | "no" | undefined;
  /** Text for people or JSON lines; by default, text at a terminal. */
  readonly progress?: "text" | "json" | undefined;
}

/** The machine-readable log. Writing to it never blocks the run, and its failures do not stop the run. */
interface PipelineLog {
  readonly log: Logger;
  /** Writes out buffered lines, before the process ends abruptly. */
  readonly flush: () => void;
}

/** Exit codes of the command. */
const EXIT = { published: 0, failed: 1, usage: 2 } as const;

/**
 * The nightly program: wires up source, clock, stages and progress, runs once and returns the exit code. A failure
 * prints one line on standard error; `HINDSIGHT_DEBUG` adds the stack.
 */
export async function pipelineMain(
  options: PipelineOptions,
  { log, flush }: PipelineLog,
): Promise<number> {
  const startedMs = performance.now();
  const reports: StepReport[] = [];
  const isForPerson = (options.progress ?? (process.stdout.isTTY ? "text" : "json")) === "text";
  const shown = isForPerson ? textProgress(process.stdout) : logProgress(log);
  const progress: Progress = {
    ...shown,
    end(report) {
      reports.push(report);
      shown.end(report);
    },
  };
  const interrupted = new AbortController();
  const stop = (signal: "SIGINT" | "SIGTERM") => {
    interrupted.abort(); // removes the unfinished snapshot before the process ends
    flush();
    const published = reports.find(({ name }) => name === "publish")?.facts["snapshot"];
    const state = published === undefined ? "nothing was changed" : `"${published}" is published`;
    process.stderr.write(`error: stopped by ${signal}, ${state}\n`);
    // The listener is gone, so the signal itself ends the process and a shell sees 130 or 143. `process.exit` would
    // wait for threads to end, and would abort while DuckDB is at work in one of them.
    process.kill(process.pid, signal);
  };
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  const pool = openComputePool();
  try {
    const opened = await openInput(options, progress);
    if (typeof opened === "string") return fail(opened, EXIT.usage);
    const stages = stagesOf(pool, {
      ...options,
      indexDraws: options.indexDraws ?? INDEX_DRAWS_DEFAULT,
      robustnessDraws: options.robustnessDraws ?? ROBUSTNESS_DRAWS_DEFAULT,
    });
    const result = await runPipeline({
      ...opened,
      root: options.out,
      asOf: options.asOf,
      stages,
      clock: { nowMs: () => Date.now(), elapsedMs: () => performance.now() },
      versions: versions(),
      progress,
      signal: interrupted.signal,
    });
    const seconds = (performance.now() - startedMs) / 1000;
    reportEnd(result, { reports, seconds, log: isForPerson ? undefined : log });
    return EXIT.published;
  } catch (error) {
    if (process.env["HINDSIGHT_DEBUG"] && error instanceof Error) {
      process.stderr.write(`${error.stack ?? ""}\n`);
    }
    return fail(failureText(error, options.out), EXIT.failed);
  } finally {
    await pool.close();
    process.off("SIGINT", stop);
    process.off("SIGTERM", stop);
  }
}

/** Board and source from the options, or a sentence about the option that is wrong. */
async function openInput(options: PipelineOptions, progress: Progress) {
  try {
    const board = loadBoard(options.board);
    const source = await openSource(options.source, {
      board,
      now: () => Date.now(),
      elapsedMs: () => performance.now(),
      exchangeUrl: options.exchangeUrl,
      keepLastRows: options.keepLastRows === "yes",
      onNotice: (text) => progress.notice(text),
    });
    return { board, source };
  } catch (error) {
    // With a cause, something outside failed (an unreachable exchange), not the command line.
    if (error instanceof InputError && error.cause === undefined) return error.message;
    throw error;
  }
}

function reportEnd(
  { dir, manifest }: RunResult,
  run: { reports: readonly StepReport[]; seconds: number; log: Logger | undefined },
): void {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const peakMb = Math.round(maxRSS / 1024); // kilobytes on every system
  if (run.log === undefined) {
    const total = stepLine({ name: "total", seconds: run.seconds, facts: { "peak MB": peakMb } });
    process.stdout.write(`  ${total}\n\nPublished ${relative(process.cwd(), dir) || dir}\n`);
    return;
  }
  const toMillis = (seconds: number) => Number(seconds.toFixed(3));
  const facts = {
    snapshot: manifest.id,
    dir,
    stages: Object.fromEntries(run.reports.map(({ name, seconds }) => [name, toMillis(seconds)])),
    peak_memory_mb: peakMb,
    cpu_seconds: toMillis((userCPUTime + systemCPUTime) / 1e6), // of all threads
    seconds: toMillis(run.seconds),
  };
  run.log.info(facts, "snapshot published");
}

/** Codes by which the system refuses to read or write files. */
const REFUSALS = "EIO EROFS EACCES EPERM EMFILE ENFILE ESTALE ENXIO ENODEV".split(" ");

function failureText(error: unknown, out: string): string {
  if (error instanceof InputError || error instanceof SnapshotError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const code = systemCodeOf(error);
  if (code === "ENOSPC") return `the disk of "${out}" is full`;
  if (code === "EDQUOT") return "the disk quota is used up";
  if (code === "ERR_WORKER_INIT_FAILED") {
    return `the system starts no more threads (${error.message}): raise the limit of processes and threads`;
  }
  if ((error as NodeJS.ErrnoException).syscall === "uv_cwd") {
    return "the folder that this command was started in is gone: start it in another one";
  }
  return code !== undefined && REFUSALS.includes(code)
    ? `the snapshots in "${out}" cannot be read or written: ${error.message}`
    : error.message;
}

function fail(message: string, code: number): number {
  if (process.stdout.isTTY) process.stdout.write("\n"); // after the step in progress
  process.stderr.write(`error: ${message.replaceAll(/\s+/g, " ")}\n`);
  return code;
}
