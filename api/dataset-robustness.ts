import { numberIn, under, type Cells } from "./cells.ts";
import { int, number, object } from "./members.ts";
import { rowRecord, type Json } from "./record.ts";

const NullRange = rowRecord()({
  low: number.orNull("5 % of the draws have a lower premium; null where none are made"),
  high: number.orNull("95 % of the draws have a lower premium"),
  p: number.orNull("(1 + draws with a premium as high) / (1 + draws)"),
});

const Growth = rowRecord()({
  pick: number.orNull("with the pick of each quarter", (row: Cells) =>
    numberIn(row, "pick_growth_pct"),
  ),
  default: number.orNull("with the default variant", (row: Cells) =>
    numberIn(row, "default_growth_pct"),
  ),
  mean_variant: number.orNull("geometric mean of the 13 variants", (row: Cells) =>
    numberIn(row, "mean_variant_growth_pct"),
  ),
  hold: number.orNull("holding the coin", (row: Cells) => numberIn(row, "hold_growth_pct")),
});

/** What choosing was worth by one check, made from its row of the table. */
export const RobustnessCheck = rowRecord({
  id: "DatasetCheck",
  description: "What choosing was worth, asked in one way, with its error bars.",
})({
  premium_in_sample: number.orNull("mean of the pick's Sharpe less the mean of its cell's runs"),
  premium_out_of_sample: number.orNull("the same out-of-sample"),
  share_kept: number.orNull("the second over the first; null unless the first is above 0"),
  low: number.orNull("lower end of a 95 % interval, from coins drawn with replacement"),
  high: number.orNull("its upper end"),
  picks: int("picks that moved in both periods"),
  coins: int("coins they are on"),
  permuted_blocks_5: object(NullRange)(
    "the same choice, with days permuted in blocks of 1 to 5",
    under("null_5_"),
  ),
  permuted_blocks_60: object(NullRange)("likewise in blocks of 1 to 60 days", under("null_60_")),
  annual_growth_pct: object(Growth).ifAny(
    "of `walk_forward` only: geometric means over the cells",
    (row: Cells) => (Number.isNaN(numberIn(row, "pick_growth_pct")) ? undefined : row),
  ),
});

export type RobustnessCheck = Json<typeof RobustnessCheck>;
