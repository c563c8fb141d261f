/** The progress of a check, for a person who waits. */
export interface CheckProgress {
  readonly step: "splits" | "cash" | "coin" | "means" | "peers" | "live";
  /** Variants; permuted markets for `peers`, and days for `live`. */
  readonly done: number;
  readonly total: number;
}
