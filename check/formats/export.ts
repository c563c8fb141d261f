import type { CheckWarning, Observations } from "../../quant/check/panel.ts";
import type { TradeList } from "../../quant/check/trade.ts";

/** What the sender may say beside the file. */
export interface ReadOptions {
  /** Name of a format, where the content alone does not decide. */
  readonly format?: string | undefined;
  /** Money the account began with, for lists of trades. */
  readonly startingCapital?: number | undefined;
  /** IANA name of the zone of times that are written without one. */
  readonly timezone?: string | undefined;
}

/** One statistic for each trial of an optimiser, without its returns. */
export interface TrialStatistics {
  readonly name: string;
  readonly values: Float64Array;
}

/** A file, read: a panel's rows or an optimiser's statistics. Plain data, which goes from one process to another. */
export interface ReadExport {
  /** The format's name, as the option `format` takes it. */
  readonly format: string;
  readonly tool: string;
  readonly kind: "returns" | "equity" | "trades" | "statistics";
  readonly rows?: Observations;
  readonly statistics?: TrialStatistics;
  /** Whether `rows` know profits on the day of exit only. */
  readonly realisedOnly?: boolean;
  /** The trades behind `rows`, which can be marked to market where prices are available. */
  readonly trades?: TradeList;
  /** The pairs that were traded, where the file names them. */
  readonly symbols?: readonly string[];
  /** Figures of the file's own header. */
  readonly stated?: Readonly<Record<string, number>>;
  /** The same for each variant by its name, where they differ. */
  readonly statedOf?: ReadonlyMap<string, Readonly<Record<string, number>>>;
  /** How the tool defines them, where that isn't our way. */
  readonly statedReason?: string;
  readonly warnings: readonly CheckWarning[];
}

/** A file that can be checked elsewhere, where the limits are wider. */
export class TooLarge extends RangeError {
  override readonly name = "TooLarge";
}

/** A file that can't be read as any backtest. The message is for the person who sent it. */
export class FileRefused extends RangeError {
  override readonly name = "FileRefused";
}

/** A file that can be read once the sender adds something. */
export class MoreNeeded extends RangeError {
  override readonly name = "MoreNeeded";
  readonly option: keyof ReadOptions;

  constructor(option: keyof ReadOptions, question: string) {
    super(question);
    this.option = option;
  }
}
