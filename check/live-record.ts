/** Compares live days with the backtest that a check judged. It is loaded only where there are live days. */
import { FileRefused } from "../files/refused.ts";
import { dayOfDate } from "../quant/calendar.ts";
import { buildPanel } from "../quant/check/build-panel.ts";
import type { CheckProgress } from "../quant/check/check-progress.ts";
import { DAY_SECONDS, dayOf } from "../quant/check/ordered-rows.ts";
import { PanelRefused, type CheckWarning, type Panel } from "../quant/check/panel.ts";
import { checkLive } from "../quant/live/check-live.ts";
import { ACTIVE_MIN } from "../quant/live/evidence.ts";
import { barsWithin, checkDaily, liveRecord, NoDaysBefore } from "../quant/live/two-records.ts";
import { areHandful } from "../quant/check/verdict.ts";
import type { CheckReport } from "../quant/check/report.ts";
import { fileAtMarket, type FileAtMarket, type FilePlace } from "./file-at-market.ts";
import { type ReadExport } from "./formats/export.ts";
import { symbolsIn } from "./market.ts";
import { ofLive } from "./of-live.ts";
import { reconciledFiles } from "./reconciled.ts";

/** Currencies that are worth a dollar. */
const DOLLARS: ReadonlySet<string> = new Set(["usdt", "usdc", "busd", "tusd", "fdusd"]);

interface LiveOptions {
  readonly nTrials?: number | undefined;
  readonly starts?: number | undefined;
  readonly riskFree?: number | undefined;
  readonly liveSelected?: string | undefined;
  readonly liveSince?: string | undefined;
}

interface LiveOrder<Judged> {
  /** All bars in the backtest's file. */
  readonly panel: Panel;
  readonly file: FileAtMarket;
  /** The live record, where it is a file of its own. */
  readonly live: { readonly read: ReadExport; readonly surroundings: FilePlace } | undefined;
  readonly judge: (panel: Panel) => Judged;
  readonly options: LiveOptions;
  readonly onProgress: ((progress: CheckProgress) => void) | undefined;
}

/** The live days, from whichever file. */
interface LiveSide {
  readonly panel: Panel;
  readonly realisedOnly: boolean;
  readonly cautions: readonly CheckWarning[];
  /** What was done to the file of the live record. */
  readonly warnings: readonly CheckWarning[];
}

/** A check, and how its variant did live: in a file of its own, or in the backtest's file from a day on. */
export async function withLive<Judged extends { readonly report: CheckReport }>(
  order: LiveOrder<Judged>,
) {
  const { panel, file, live, judge, options } = order;
  checkDaily(panel, "backtest");
  const realisedOnly = isRealisedOnly(file);
  if (live === undefined) {
    const backtest = before(panel, options.liveSince!); // there is one or the other
    const side = { panel, realisedOnly, cautions: [], warnings: [] };
    return held(order, { backtest, side, checked: judge(backtest) });
  }
  const side = await ofLive(() => liveSide(live, file));
  return reconciledAndHeld(order, side, judge(panel));
}

/** Compares the two files. Where the backtest ends before the live days, or has only them, there is no verdict on those. */
function reconciledAndHeld<Judged extends { readonly report: CheckReport }>(
  order: LiveOrder<Judged>,
  side: LiveSide,
  checked: Judged,
) {
  const { panel, file, live, options } = order;
  const claimed = checked.report.input.selected!; // a panel always has one
  const record = liveRecord(side.panel, options.liveSelected, claimed);
  const returns = panel.columns[panel.names.indexOf(claimed)]!;
  const backtest = { day: Array.from(panel.instants, dayOf), returns };
  const { reconciliation, reason, rows } = reconciledFiles(
    { read: file.read, record: backtest, realisedOnly: isRealisedOnly(file), variant: claimed },
    {
      read: live!.read,
      record,
      realisedOnly: side.realisedOnly,
      variant: options.liveSelected ?? claimed,
    }, // it was sent
    options.liveSince === undefined ? undefined : dayOfDate(options.liveSince),
  );
  const report = { ...checked.report, reconciliation, reconciliationReason: reason };
  const compared = { ...checked, report, matched: rows };
  try {
    return held(order, { backtest: panel, side, checked: compared });
  } catch (error) {
    if (!(error instanceof NoDaysBefore) || reconciliation === null) throw error;
    const message = `${error.message}. For a verdict, run the backtest from earlier`;
    const warnings = [...report.input.warnings, { code: "no_days_before_live", message }];
    return {
      ...compared,
      report: { ...report, input: { ...report.input, warnings } },
      live: undefined,
    };
  }
}

/** The bars of a file before it went live. */
function before(panel: Panel, since: string): Panel {
  const backtest = barsWithin(panel, -Infinity, dayOfDate(since)!);
  if (backtest.columns.length > 0) return backtest;
  throw new PanelRefused(`the file has no backtest that moves before ${since} (live_since)`);
}

async function liveSide(
  { read: sent, surroundings }: NonNullable<LiveOrder<unknown>["live"]>,
  backtest: FileAtMarket,
): Promise<LiveSide> {
  const live = await fileAtMarket(sent, surroundings);
  const { read, marked } = live;
  const rows = marked?.rows ?? read.rows;
  if (rows === undefined)
    throw new FileRefused("it has one statistic for each trial and no days; send daily values");
  const panel = buildPanel(rows, { isLive: true });
  checkDaily(panel, "live record");
  const warnings = [...(marked?.source.warnings ?? read.warnings), ...panel.warnings];
  return {
    panel,
    realisedOnly: isRealisedOnly(live),
    cautions: [...depositCaution(read), ...currencyCaution(read, backtest.read)],
    warnings: warnings.map(({ code, message }) => {
      return { code, message: `of the live record: ${message}` };
    }),
  };
}

/** Whether a file has profits on the day of exit only. */
function isRealisedOnly({ read, marked }: FileAtMarket): boolean {
  return marked?.source.realisedOnly ?? read.realisedOnly ?? false;
}

function held<Judged extends { readonly report: CheckReport }>(
  { file, options, onProgress }: LiveOrder<Judged>,
  input: { readonly backtest: Panel; readonly side: LiveSide; readonly checked: Judged },
) {
  const { backtest, side, checked } = input;
  const { report } = checked;
  const claimed = report.input.selected!; // a panel always has one
  const index = backtest.names.indexOf(claimed);
  const record = liveRecord(side.panel, options.liveSelected, claimed);
  // A few days may lie within one week, in which any market is open every day.
  const { periodsPerYear } = record.day.length < ACTIVE_MIN ? backtest : side.panel;
  const live = checkLive({
    columns: backtest.columns,
    index,
    backtest: {
      day: Array.from(backtest.instants, dayOf),
      returns: backtest.columns[index]!,
      periodsPerYear: backtest.periodsPerYear,
      realisedOnly: isRealisedOnly(file),
    },
    live: { ...record, periodsPerYear, realisedOnly: side.realisedOnly },
    nTrials:
      options.nTrials && backtest.columns.length === 1
        ? options.nTrials * (options.starts ?? 1)
        : options.nTrials,
    isHandful: areHandful(backtest.names),
    since: options.liveSince === undefined ? undefined : dayOfDate(options.liveSince),
    riskFree: options.riskFree,
    cautions: side.cautions,
    onProgress: (done, total) => onProgress?.({ step: "live", done, total }),
  });
  const days = record.day.slice(live.droppedLiveDays);
  const rate = (options.riskFree ?? 0) / periodsPerYear;
  const warnings = [...report.input.warnings, ...side.warnings];
  return {
    ...checked,
    report: { ...report, input: { ...report.input, warnings }, live },
    /** Returns less the risk-free rate. */
    live: {
      instants: Float64Array.from(days, (day) => day * DAY_SECONDS),
      returns: record.returns.slice(live.droppedLiveDays).map((value) => value - rate),
      periodsPerYear,
    },
  };
}

function depositCaution(read: ReadExport): readonly CheckWarning[] {
  if (read.doubt === undefined) return [];
  const message =
    "some steps of the live record look like money paid in or taken out, which isn't a return: say so with live_flows";
  return [{ code: "suspected_deposits", message }];
}

/** A caution where each file is in one currency, and the two differ. */
function currencyCaution(live: ReadExport, backtest: ReadExport): readonly CheckWarning[] {
  const [ofLive, ofBacktest] = [live, backtest].map((read) => {
    const quotes = symbolsIn(read).map((symbol) => symbol.toLowerCase().split(/[/:]/)[1]);
    const named = new Set(quotes.map((quote) => (DOLLARS.has(quote ?? "") ? "usd" : quote)));
    return named.size === 1 ? [...named][0] : undefined;
  });
  if (ofLive === undefined || ofBacktest === undefined || ofLive === ofBacktest) return [];
  const message =
    `the backtest counts in ${ofBacktest.toUpperCase()}, the live record in ${ofLive.toUpperCase()}: their exchange rate ` +
    "adds swings that the backtest hadn't";
  return [{ code: "other_currency", message }];
}
