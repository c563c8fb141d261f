import { readFileSync } from "node:fs";

const STEP_MS = 50;
/**
 * The most readings kept for each process: enough for a whole run.
 */
const READINGS_MAX = 20_000;
const NS_A_MS = 1e6;

/** What the system has counted for a process's main thread up to an instant of `performance.now`. */
interface Reading {
  readonly atMs: number;
  readonly ranMs: number;
  /** Time in which it could have run but no processor was free. */
  readonly waitedMs: number;
  /** As `ps` shows it: R is running or could, S sleeps, D waits for a disk, T is stopped. */
  readonly state: string;
}

/**
 * What processes did while somebody waited for them. It reads /proc some twenty times a second, so that a
 * slow answer can be traced to a stop, to a lack of processors, to work, to a disk, or to none of these.
 * Linux only; elsewhere it knows nothing.
 */
export class ProcessWatch {
  readonly #pids: () => Iterable<readonly [name: string, pid: number]>;
  readonly #readings = new Map<string, Reading[]>();
  readonly #timer: NodeJS.Timeout;
  /** Gaps between this program's own readings: it may have been late itself. */
  readonly #own: number[] = [];

  constructor(pids: () => Iterable<readonly [name: string, pid: number]>) {
    this.#pids = pids;
    this.#timer = setInterval(() => this.#read(), STEP_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Describes what a process did between two instants. */
  tell(name: string, fromMs: number, toMs: number): string {
    const all = this.#readings.get(name) ?? [];
    const after = all.findIndex(({ atMs }) => atMs >= fromMs);
    const within = all.slice(Math.max(0, after - 1)).filter(({ atMs }) => atMs <= toMs + STEP_MS);
    const [first, last] = [within[0], within.at(-1)];
    if (first === undefined || last === undefined) return "nothing is known of its server";
    const counted = (state: string) =>
      STEP_MS * within.filter((each) => each.state === state).length;
    const times = [
      `ran ${Math.round(last.ranMs - first.ranMs)} ms`,
      `waited ${Math.round(last.waitedMs - first.waitedMs)} ms for a processor`,
      `was seen stopped for ${counted("T")} ms, asleep for ${counted("S")} and at a disk for ${counted("D")}`,
    ];
    return `its main thread ${times.join(", ")}; this program was ${Math.round(this.#lateMs(fromMs, toMs))} ms late at most`;
  }

  /** The longest time in which this program read nothing. */
  #lateMs(fromMs: number, toMs: number): number {
    const within = this.#own.filter((atMs) => atMs >= fromMs - STEP_MS && atMs <= toMs + STEP_MS);
    const gaps = within.map((atMs, index) => atMs - (within[index - 1] ?? atMs));
    return Math.max(0, ...gaps) - STEP_MS;
  }

  #read(): void {
    const atMs = performance.now();
    this.#own.push(atMs);
    if (this.#own.length > READINGS_MAX) this.#own.shift();
    for (const [name, pid] of this.#pids()) {
      const read = readingOf(pid, atMs);
      if (read === undefined) continue;
      const readings = this.#readings.get(name) ?? [];
      readings.push(read);
      if (readings.length > READINGS_MAX) readings.shift();
      this.#readings.set(name, readings);
    }
  }
}

function readingOf(pid: number, atMs: number): Reading | undefined {
  try {
    const thread = `/proc/${pid}/task/${pid}`;
    const [ran = NaN, waited = NaN] = readFileSync(`${thread}/schedstat`, "latin1")
      .split(" ")
      .map(Number);
    const stat = readFileSync(`${thread}/stat`, "latin1");
    const state = stat.charAt(stat.lastIndexOf(")") + 2);
    return { atMs, ranMs: ran / NS_A_MS, waitedMs: waited / NS_A_MS, state };
  } catch {
    return undefined; // it has ended, or there is no /proc
  }
}
