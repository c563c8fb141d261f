import { z } from "zod";
import type { Row } from "../../snapshots/dataset-tables.ts";
import { numberOrNull } from "./answer-values.ts";
import { membersOf, numberOf } from "./row-members.ts";

const NullRange = z.strictObject({
  low: numberOrNull("5 % of the draws have a lower premium; null where none are made"),
  high: numberOrNull("95 % of the draws have a lower premium"),
  p: numberOrNull("(1 + draws with a premium as high) / (1 + draws)"),
});

const Check = z
  .strictObject({
    premium_in_sample: numberOrNull("mean of the pick's Sharpe less the mean of its cell's runs"),
    premium_out_of_sample: numberOrNull("the same out-of-sample"),
    share_kept: numberOrNull("the second over the first; null unless the first is above 0"),
    low: numberOrNull("lower end of a 95 % interval, from coins drawn with replacement"),
    high: numberOrNull("its upper end"),
    picks: z.int(),
    coins: z.int(),
    permuted_blocks_5: NullRange.describe(
      "the same choice, with days permuted in blocks of 1 to 5",
    ),
    permuted_blocks_60: NullRange.describe("likewise in blocks of 1 to 60 days"),
    annual_growth_pct: z
      .strictObject({
        pick: numberOrNull("with the pick of each quarter"),
        default: numberOrNull("with the default variant"),
        mean_variant: numberOrNull("geometric mean of the 13 variants"),
        hold: numberOrNull("holding the coin"),
      })
      .optional()
      .describe("of `walk_forward` only: geometric means over the cells"),
  })
  .meta({
    id: "DatasetCheck",
    description: "What choosing was worth, asked in one way, with its error bars.",
  });

export const Robustness = z
  .record(z.string(), Check)
  .nullable()
  .describe(
    "what a pick was worth beside the other runs of its cell, by check; `split_70` is the dataset itself. " +
      "null when the snapshot was made without it",
  );

/** The checks in the order of the table. */
export function robustnessOf(rows: readonly Row[]): z.output<typeof Robustness> {
  if (rows.length === 0) return null;
  return Object.fromEntries(rows.map((row) => [String(row["check"]), checkOf(row)]));
}

function checkOf(row: Row): z.output<typeof Check> {
  const growth = {
    pick: numberOf(row, "pick_growth_pct"),
    default: numberOf(row, "default_growth_pct"),
    mean_variant: numberOf(row, "mean_variant_growth_pct"),
    hold: numberOf(row, "hold_growth_pct"),
  };
  return membersOf(row, Check, {
    given: {
      permuted_blocks_5: membersOf(row, NullRange, { prefix: "null_5_" }),
      permuted_blocks_60: membersOf(row, NullRange, { prefix: "null_60_" }),
      annual_growth_pct: growth.pick === null ? undefined : growth,
    },
  });
}
