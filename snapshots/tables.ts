import { BUY_HOLD } from "./tables/buy-hold.ts";
import { DCA } from "./tables/dca.ts";
import { INDICATORS } from "./tables/indicators.ts";
import { PRICES } from "./tables/prices.ts";
import { REJECTS } from "./tables/rejects.ts";
import { SIGNALS } from "./tables/signals.ts";
import { STRATEGIES, VARIANTS } from "./tables/strategies.ts";
import type { Table } from "./tables/table.ts";

/** Every table of a snapshot, in the order of the documentation. */
export const TABLES: readonly Table[] = [
  PRICES,
  REJECTS,
  INDICATORS,
  SIGNALS,
  BUY_HOLD,
  DCA,
  STRATEGIES,
  VARIANTS,
];
