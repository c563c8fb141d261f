import type { Afterwards as AfterwardsFigures, LaterSharpes } from "../quant/check/afterwards.ts";
import { attribution } from "./attribution.ts";
import { int, number, object, text } from "./members.ts";
import { facts, record } from "./record.ts";

const Later = record<LaterSharpes>()({
  runs: int("runs that the figures are from"),
  median: number.orNull("of the later Sharpe ratios, a year"),
  low: number.orNull("their 5 % quantile"),
  high: number.orNull("their 95 % quantile"),
  share_below_zero: number.orNull("share of the runs that lost afterwards"),
});

/** What came after similar runs, here and among the peers of a check. */
export const Afterwards = record<AfterwardsFigures>({
  id: "Afterwards",
  description: "What came after runs with a similar Sharpe ratio over a similar length.",
})({
  ...Later.members,
  coins: int("coins that the runs are of"),
});

/** `GET /base-rates` */
export const BaseRates = facts()({
  attribution,
  sharpe: number("as given"),
  length_days: number("as given"),
  coin: text.orNull("as given"),
  afterwards: object(Afterwards).orNull("null for fewer than 20 coins"),
  afterwards_note: text(
    "what the figures rest on, or why not",
    ({ note }: { readonly note: string }) => note,
  ),
  on_coin: object(Later).orNull(
    "the same for all such runs on the coin alone, which share one history; null for fewer than 20 runs",
  ),
});
