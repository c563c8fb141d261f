import type { Month } from "../quant/month.ts";
import { lastCompleteMonth, lastDayOfMonth, monthOfText, monthText } from "../quant/month.ts";
import { DOUBLED_COSTS } from "../quant/dataset/definition.ts";
import { DEFAULT_COSTS, NO_COSTS } from "../quant/engine/costs.ts";
import type { Costs } from "../quant/engine/costs.ts";
import { PANEL_DAYS } from "../quant/overfitting/index-draw.ts";
import { indexCoins } from "../quant/overfitting/index-months.ts";
import type { Panel } from "../quant/overfitting/index-panel.ts";
import { BLOCK_DAYS_MAX, panelOf, withoutDrift } from "../quant/overfitting/index-panel.ts";
import { findCurrent } from "../snapshots/folder.ts";
import { openSnapshot } from "../snapshots/reader.ts";
import { oneOf, refuse } from "./script-options.ts";

/** Options of the commands that shuffle a month's days. */
export const NULL_OPTIONS = {
  snapshots: { type: "string", default: process.env["HINDSIGHT_SNAPSHOTS"] ?? "snapshots/data" },
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
export interface NullPanel {
  readonly month: Month;
  readonly panel: Panel;
  readonly draws: number;
  readonly costs: Costs;
  readonly blockDays: number;
  /** All of it in words, for the first line of output. */
  readonly text: string;
}

export async function nullPanel(options: NullArguments): Promise<NullPanel> {
  const draws = Number(options.draws);
  const costs = COSTS[oneOf("--costs", options.costs, ["usual", "none", "double"])];
  const drift = oneOf("--drift", options.drift, ["keep", "none"]);
  const blockDays = Number(options["block-days"]);
  if (!Number.isInteger(draws) || draws < 2)
    refuse(`--draws takes a whole number from 2 on, got "${options.draws}"`);
  if (!Number.isInteger(blockDays) || blockDays < 1)
    refuse(`--block-days takes a whole number from 1 on, got "${options["block-days"]}"`);
  const asked = options.month === undefined ? undefined : monthOfText(options.month);
  if (options.month !== undefined && asked === undefined)
    refuse(`--month takes YYYY-MM, got "${options.month}"`);
  const dir = await findCurrent(options.snapshots);
  if (dir === undefined) throw new Error(`there is no snapshot in "${options.snapshots}"`);
  const snapshot = await openSnapshot(dir);
  const month = asked ?? lastCompleteMonth(snapshot.manifest.asOf);
  const board = snapshot.coins.map(({ ticker }) => ({
    coin: ticker,
    bars: snapshot.bars(ticker)!,
  })); // its own coins
  const coins = indexCoins(board, month).map(({ bars }) => bars);
  if (coins.length < 2) throw new Error(`${monthText(month)} has ${coins.length} coins to permute`);
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
      `blocks of 1 to ${blockDays} days, snapshot ${snapshot.id}`,
  };
}
