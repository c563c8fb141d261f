import type { StudyResult } from "../../api/study.ts";
import type { Values } from "../../quant/studies/parameter-grid.ts";
import type { StudyProgress } from "../../quant/studies/run-study.ts";

/** What the page sends to the thread that runs a study. */
export interface StudyOrder {
  readonly strategy: string;
  readonly coin: string;
  readonly values: Readonly<Record<string, Values>>;
  /** ISO dates; empty for the defaults. */
  readonly start: string;
  readonly end: string;
  readonly feeRate: number;
  readonly slippageRate: number;
  readonly folds: number;
  /** Sets tried elsewhere. */
  readonly elsewhere: number;
  /** Digests of the sets of this rule and coin that ran in this tab before. */
  readonly before: readonly string[];
}

/** What 1,000 became with a study's only set, and with holding. */
export interface SingleCurve {
  readonly dates: readonly string[];
  readonly run: readonly number[];
  readonly hold: readonly number[];
}

export type StudyNews =
  | { readonly kind: "progress"; readonly progress: StudyProgress }
  | {
      readonly kind: "done";
      readonly result: StudyResult;
      readonly tried: readonly string[];
      readonly curve: SingleCurve | undefined;
    }
  | { readonly kind: "refused"; readonly message: string };
