/** How far a check has come, for a person who waits. */
export interface CheckProgress {
  readonly step: "splits" | "cash" | "coin" | "means" | "peers" | "live";
  /** Variants or, for peers, shuffled markets; live days. */
  readonly done: number;
  readonly total: number;
}
