import { isAbsent } from "./earlier.ts";
import { InputError } from "./input-error.ts";
import type { SourceCoin } from "../price-rules/raw-row.ts";
import type { SourceSummary } from "./source.ts";

/** Collects the outcome of each fetched coin for a source's summary. */
export class Tally {
  readonly #source: string;
  readonly #served = new Set<string>();
  readonly #missing: string[] = [];
  readonly #failed: { readonly ticker: string; readonly message: string }[] = [];
  readonly #notices: { readonly ticker: string; readonly text: string }[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  add(coin: SourceCoin): SourceCoin {
    const { ticker, fault, notices = [] } = coin;
    this.#notices.push(...notices.map((text) => ({ ticker, text })));
    if (fault === null) this.#served.add(ticker);
    else if (isAbsent(fault.reason)) this.#missing.push(ticker);
    else this.#failed.push({ ticker, message: fault.message });
    return coin;
  }

  /**
   * Throws InputError when no coin was served, or when more than `failedShareMax` of the coins that the source has
   * failed: then the source is at fault, and publishing would hide it.
   */
  summary(more: { failedShareMax: number; otherFiles?: number }): SourceSummary {
    const served = this.#served.size;
    const failed = this.#failed.length;
    const tooMany = failed > more.failedShareMax * (served + failed);
    if (served === 0 || tooMany) {
      const asked = served + failed + this.#missing.length;
      const first = this.#failed[0]?.message ?? "it has none of them";
      throw new InputError(
        `source "${this.#source}" served ${served} of ${asked} board coins, ${failed} failed: ${first}`,
      );
    }
    return {
      served,
      missing: this.#missing,
      failed: this.#failed,
      otherFiles: more.otherFiles ?? 0,
      notices: this.#notices,
    };
  }
}
