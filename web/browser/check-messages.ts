import type { CheckReport } from "../../api/check-report.ts";
import type { Checked, CheckFileOptions } from "../../check/check-file.ts";
import type { Question, TablePreview } from "../../check/formats/export.ts";
import type { CheckProgress } from "../../quant/check/check-progress.ts";

/** A check as pages show it. */
export interface ShownCheck extends Omit<Checked, "report"> {
  readonly report: CheckReport;
}

/** What the page sends to the thread that checks a file. */
export interface CheckOrder {
  readonly bytes: ArrayBuffer;
  /** The bytes of the live file. */
  readonly live?: ArrayBuffer | undefined;
  readonly options: CheckFileOptions;
  /** Tickers of the coins whose prices this server has. */
  readonly coins: readonly string[];
  /** Whether those prices are made up. */
  readonly isSynthetic: boolean;
}

/** What the thread answers: progress any number of times, then one of the others. */
export type CheckNews =
  | { readonly kind: "progress"; readonly progress: CheckProgress }
  | { readonly kind: "done"; readonly checked: ShownCheck }
  | CheckQuestion
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "broken"; readonly message: string };

/** Everything that the file doesn't say, asked at once. */
export interface CheckQuestion {
  readonly kind: "asked";
  readonly questions: readonly Question[];
  readonly table: TablePreview | undefined;
  /** Whether it is the live file that doesn't say it. */
  readonly isLive: boolean;
}
