/** What the verdict on live days may be, in the order in which it is decided. Apart: schemas need no evidence. */
export const LIVE_VALUES = [
  "withheld",
  "too_early",
  "stop_loses",
  "stop_contradicted",
  "decayed",
  "below",
  "holds",
  "no_claim",
  "open",
] as const;
export type LiveValue = (typeof LIVE_VALUES)[number];
