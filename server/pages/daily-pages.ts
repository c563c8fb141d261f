import { staleDays } from "../../api/age.ts";
import type { CompressedBody } from "../http/compressed-body.ts";
import type { PageMaker, ThreadPages } from "./thread-pages.ts";

type Made = PageMaker & Pick<ThreadPages, "start" | "stop">;

/**
 * The pages of a snapshot, whose last complete day is `asOf`. Once its prices are old, each page says how many days ago
 * they end. So they are made again with the first request of a day.
 */
export class DailyPages implements Made {
  readonly #asOf: number;
  readonly #nowMs: () => number;
  readonly #make: (staleDays: number | undefined) => Made;
  #days: number | undefined;
  #made: Made;

  /** `make` gives the pages for prices that end so many days ago; undefined if they are not old. */
  constructor(asOf: number, nowMs: () => number, make: (staleDays: number | undefined) => Made) {
    this.#asOf = asOf;
    this.#nowMs = nowMs;
    this.#make = make;
    this.#days = staleDays(asOf, nowMs());
    this.#made = make(this.#days);
  }

  body(path: string): Promise<CompressedBody> {
    const days = staleDays(this.#asOf, this.#nowMs());
    if (days !== this.#days) {
      void this.#made.stop();
      this.#days = days;
      this.#made = this.#make(days);
    }
    return this.#made.body(path);
  }

  start(): void {
    this.#made.start();
  }

  stop(): Promise<void> {
    return this.#made.stop();
  }
}
