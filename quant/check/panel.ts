/** What a file holds, before any rule is applied: one row for each instant, one column for each variant. */
export interface Observations {
  readonly kind: "returns" | "equity";
  /** Unix seconds of the times as written. */
  readonly instants: Float64Array;
  /** Line of the file that each row came from, for messages. */
  readonly lines: Int32Array;
  readonly names: readonly string[];
  /** NaN is an empty cell. */
  readonly columns: readonly Float64Array[];
  /** The market beside the strategy, of the same kind as the rows. It is not judged. */
  readonly market?: Float64Array;
  /** Whether rows are events rather than bars (an account report): the last value of a day holds until the next event. */
  readonly events?: boolean;
}

/** A column of the file, and what it was taken for. */
export interface ReadColumn {
  readonly name: string;
  /** In words. */
  readonly role: string;
  readonly use:
    | "dates"
    | "judged"
    | "variant"
    | "market"
    | "flows"
    | "costs"
    | "trade"
    | "left_out";
}

/** The options that the sender gave beside the file, by name. */
export type SaidOptions = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** Something that was done to the data or makes them doubtful. */
export interface CheckWarning {
  readonly code: string;
  readonly message: string;
}

/** Bars of simple returns: what every figure of the check is computed from. */
export interface Panel {
  /** Unix seconds, ascending; for daily or finer bars, the UTC midnight that begins the day. */
  readonly instants: Float64Array;
  /** Distinct variants that move, in the order of the file. */
  readonly names: readonly string[];
  readonly columns: readonly Float64Array[];
  /** Returns of the market that the file has beside the strategy. */
  readonly market?: Float64Array | undefined;
  /** The kept variant of each name in the file that was not dropped. */
  readonly keptNameOf: ReadonlyMap<string, string>;
  /** Seconds between the file's bars. */
  readonly barSeconds: number;
  readonly periodsPerYear: number;
  readonly periodsReason: string;
  readonly filledBars: number;
  readonly droppedVariants: number;
  readonly duplicateVariants: number;
  readonly warnings: readonly CheckWarning[];
}

/** A file or panel that no figure can be computed from. The message is for the person who sent it. */
export class PanelRefused extends RangeError {
  override readonly name = "PanelRefused";
}
