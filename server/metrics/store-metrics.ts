import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { AccountsClock } from "../../accounts/accounts.ts";
import { inTime, type Sample, type ProcessRegistry } from "./process-registry.ts";

/** How many kinds of failure have a label of their own. All others are counted as "other". */
const KINDS_MAX = 30;
const OTHER = "other";

export interface StoreMetricsOptions {
  readonly kind: string;
  /** Sends the store a small request. Throws or rejects if it cannot answer. */
  readonly ping: () => unknown;
  /** The state file, whose name is the beginning of its side files' names; undefined if there is none. */
  readonly file?: string | undefined;
}

/** Whether the store of accounts answers, how fast, and why requests failed when it did not. */
export class StoreMetrics {
  readonly #clock: AccountsClock;
  readonly #failures = new Map<string, { count: number; lastMs: number }>();

  constructor(
    metrics: ProcessRegistry,
    { kind, ping, file }: StoreMetricsOptions,
    clock: AccountsClock,
  ) {
    this.#clock = clock;
    const up = "1 while the store of accounts answers, asked at each scrape.";
    // Pinged once a scrape, for both metrics.
    let pinged: Promise<number | undefined> = Promise.resolve(undefined);
    metrics.gauge("hindsight_store_up", up, async () => {
      pinged = this.#pingSeconds(ping);
      return [{ labels: { kind }, value: (await pinged) === undefined ? 0 : 1 }];
    });
    const took = "How long the store took to answer this scrape; absent while it does not.";
    metrics.gauge("hindsight_store_ping_seconds", took, async () => {
      const seconds = await pinged;
      return seconds === undefined ? undefined : [{ labels: { kind }, value: seconds }];
    });
    metrics.counter(
      "hindsight_store_failures_total",
      "Requests that were 503 because the store did not answer, by what it said.",
      () => this.#samples(({ count }) => count),
    );
    metrics.gauge(
      "hindsight_store_last_failure_timestamp_seconds",
      "When the last of them was, by what the store said.",
      () => this.#samples(({ lastMs }) => lastMs / 1000),
    );
    if (file === undefined) return;
    const sizes = "Sizes of the state file and of the files beside it.";
    metrics.gauge("hindsight_store_file_bytes", sizes, () => fileSizes(file));
  }

  /** A request failed because the store could not answer. */
  failed(error: Error): void {
    const found = kindOf(error);
    const known = this.#failures.has(found) || this.#failures.size < KINDS_MAX;
    const kind = known ? found : OTHER;
    const count = (this.#failures.get(kind)?.count ?? 0) + 1;
    this.#failures.set(kind, { count, lastMs: this.#clock.nowMs() });
  }

  async #pingSeconds(ping: () => unknown): Promise<number | undefined> {
    const { monotonicMs } = this.#clock;
    const begunMs = monotonicMs();
    try {
      return await inTime(Promise.resolve(ping()).then(() => (monotonicMs() - begunMs) / 1000));
    } catch {
      return undefined;
    }
  }

  #samples(valueOf: (failure: { count: number; lastMs: number }) => number): readonly Sample[] {
    return [...this.#failures].map(([reason, each]) => ({
      labels: { reason },
      value: valueOf(each),
    }));
  }
}

/** A label for a store's failure: its code, the first word in capitals of its message, "timeout" or "other". */
function kindOf(error: Error): string {
  const { cause } = error;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (typeof code === "string") return code.toLowerCase();
  const word = /\b[A-Z][A-Z_]{3,31}\b/.exec(error.message)?.[0];
  if (word !== undefined) return word.toLowerCase();
  return /within \d+ ms/.test(error.message) ? "timeout" : OTHER;
}

async function fileSizes(file: string): Promise<readonly Sample[]> {
  const folder = dirname(file);
  const names = (await readdir(folder)).filter((name) => name.startsWith(basename(file)));
  const samples = await Promise.all(names.map((name) => sizeOf(join(folder, name))));
  return samples.filter((sample) => sample !== undefined);
}

/** Undefined if the file vanished between the two looks, as side files do. */
async function sizeOf(file: string): Promise<Sample | undefined> {
  try {
    return { labels: { file: basename(file) }, value: (await stat(file)).size };
  } catch {
    return undefined;
  }
}
