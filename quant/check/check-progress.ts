/** How far a check has come, for a person who waits. */
export interface CheckProgress {
  readonly step: "splits" | "cash" | "coin" | "means" | "peers";
  /** Variants or, for peers, shuffled markets. */
  readonly done: number;
  readonly total: number;
}
