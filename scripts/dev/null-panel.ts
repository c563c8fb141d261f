import type { Month } from "../../quant/month.ts";
import { lastCompleteMonth, lastDayOfMonth, monthOfText, monthText } from "../../quant/month.ts";
import { DOUBLED_COSTS } from "../../quant/dataset/definition.ts";
import { DEFAULT_COSTS, NO_COSTS } from "../../quant/engine/costs.ts";
import type { Costs } from "../../quant/engine/costs.ts";
import { PANEL_DAYS } from "../../quant/overfitting/index-draw.ts";
import { indexCoins } from "../../quant/overfitting/index-months.ts";
import type { Panel } from "../../quant/overfitting/index-panel.ts";
import { BLOCK_DAYS_MAX, panelOf, withoutDrift } from "../../quant/overfitting/index-panel.ts";
import { openPrices, type SnapshotPrices } from "../../snapshots/price-reader.ts";
import { SnapshotError } from "../../snapshots/snapshot-error.ts";
import { currentSnapshot } from "../cli/current-snapshot.ts";
import { DEFAULT_SNAPSHOTS } from "../cli/shared-options.ts";
import { oneOf, refuse, whole } from "../support/script-options.ts";

/** Options of the commands that shuffle a month's days. */
export const NULL_OPTIONS = {
  snapshots: { type: "string", default: process.env["HINDSIGHT_SNAPSHOTS"] ?? DEFAULT_SNAPSHOTS },
  month: { type: "string" },
  draws: { type: "string", default: "200" },
  costs: { type: "string", default: "usual" },
  drift: { type: "string", default: "keep" },
  "block-days": { type: "string", default: String(BLOCK_DAYS_MAX) },
} as const;

const COSTS = {
  usual: DEFAULT_COSTS,
  none: NO_COSTS,
  double: DOUBLED_COSTS,
} as const;

interface NullArguments {
  readonly snapshots: string;
  readonly month?: string | undefined;
  readonly draws: string;
  readonly costs: string;
  readonly drift: string;
  readonly "block-days": string;
}

/** The panel of a published month, and how to draw from it. */
interface NullPanel {
  readonly month: Month;
  readonly panel: Panel;
  readonly draws: number;
  readonly costs: Costs;
  readonly blockDays: number;
  /** All of it in words, for the first line of output. */
  readonly text: string;
}

async function currentPrices(snapshots: string): Promise<SnapshotPrices> {
  try {
    return await openPrices(await currentSnapshot(snapshots));
  } catch (error) {
    if (error instanceof SnapshotError) refuse(error.message);
    throw error;
  }
}

export async function nullPanel(options: NullArguments): Promise<NullPanel> {
  const draws = whole("--draws", options.draws, 2);
  const costs = COSTS[oneOf("--costs", options.costs, ["usual", "none", "double"])];
  const drift = oneOf("--drift", options.drift, ["keep", "none"]);
  const blockDays = whole("--block-days", options["block-days"]);
  const asked = options.month === undefined ? undefined : monthOfText(options.month);
  if (options.month !== undefined && asked === undefined)
    refuse(`--month takes YYYY-MM, got "${options.month}"`);
  const snapshot = await currentPrices(options.snapshots);
  const month = asked ?? lastCompleteMonth(snapshot.manifest.asOf);
  const board = snapshot.coins.map(({ ticker: coin }) => ({ coin, bars: snapshot.bars(coin)! })); // its own
  const coins = indexCoins(board, month).map(({ bars }) => bars);
  if (coins.length < 2) refuse(`${monthText(month)} has ${coins.length} coins to permute`);
  const days = { lastDay: lastDayOfMonth(month), days: PANEL_DAYS };
  const kept = panelOf(coins, { ...days, share: true });
  return {
    month,
    panel: drift === "none" ? withoutDrift(kept) : kept,
    draws,
    costs,
    blockDays,
    text:
      `of ${monthText(month)}, ${coins.length} coins, costs ${options.costs}, drift ${drift}, ` +
      `blocks of 1 to ${blockDays} days, snapshot ${snapshot.id}` +
      (snapshot.manifest.synthetic ? " (made-up prices)" : ""),
  };
}
