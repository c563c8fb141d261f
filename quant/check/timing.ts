import { maxDrawdown, totalReturn } from "../engine/statistics.ts";
import type { CheckOptions } from "./check-options.ts";
import { coveredBy } from "./coin-residuals.ts";
import { fillTiming, levelTiming, OTHER_MAX } from "./fill-timing.ts";
import { oneBarLater, scoreNeeded } from "./one-bar-later.ts";
import { DAY_SECONDS, dayOf } from "./ordered-rows.ts";
import type { Panel } from "./panel.ts";
import { sharpeOf } from "./selected-variant.ts";

/** Of more variants, only the one that is judged is tested. */
const VARIANTS_MAX = 200;

const FAULTS = {
  few_moves: "too few bars tell its position",
  positions_unclear: "its positions can't be told from its returns",
};

/** Whether the judged variant knew prices before it traded, as far as its returns and its fills show it. */
export function timingFigures(
  panel: Panel,
  options: CheckOptions,
  input: { readonly index: number; readonly trials: number },
) {
  const { timing } = options;
  if (timing === undefined) return null;
  const { later, reason } = laterFigures(panel, options, input);
  const last = dayOf(panel.instants.at(-1)!); // a panel has bars
  const name = panel.names[input.index];
  const own = timing.trades?.filter((each) => each.variant === name && dayOf(each.exit) <= last);
  const fills = own && { entry: fillTiming(own, "entry"), exit: fillTiming(own, "exit") };
  const isElsewhere =
    fills &&
    fills.entry.other + fills.exit.other >= OTHER_MAX * (fills.entry.fills + fills.exit.fills);
  const levels = own && levelTiming(isElsewhere ? [] : own);
  const statuses = [later, fills?.entry, fills?.exit, levels].map((part) => part?.status);
  return {
    status: (["found", "passed"] as const).find((each) => statuses.includes(each)) ?? "not_tested",
    reason,
    said: timing.said ?? null,
    /** Whether the bars are longer than a day. */
    bar: panel.barSeconds > DAY_SECONDS ? "bar" : "day",
    later,
    fills: fills ?? null,
    levels: levels ?? null,
  } as const;
}

export type TimingFigures = NonNullable<ReturnType<typeof timingFigures>>;

function laterFigures(
  panel: Panel,
  { coin, coinMissing, traded = [], source }: CheckOptions,
  { index, trials }: { readonly index: number; readonly trials: number },
) {
  const several = traded.length > 1 ? "it traded several coins" : "name the coin that was traded";
  if (coin === undefined) return { later: null, reason: coinMissing ?? several };
  if (source.realisedOnly === true)
    return { later: null, reason: "only realised profits are known" };
  const needed = scoreNeeded(trials);
  const test = (column: Float64Array) => {
    const sent = coveredBy(column, coin);
    const probe = oneBarLater(sent, coin.returns);
    const isFound = probe !== undefined && Math.max(probe.score1, probe.score2) >= needed;
    const status = probe?.fault === null ? (isFound ? "found" : "passed") : "not_tested";
    return { probe, sent, status } as const;
  };
  const { probe, sent, status } = test(panel.columns[index]!);
  if (probe === undefined) return { later: null, reason: FAULTS.few_moves };
  const figures = (returns: Float64Array) => ({
    sharpe: sharpeOf(returns) * Math.sqrt(panel.periodsPerYear),
    totalReturn: totalReturn(returns, 0, returns.length),
    maxDrawdown: maxDrawdown(returns, 0, returns.length),
  });
  const all =
    panel.columns.length > VARIANTS_MAX
      ? undefined
      : panel.columns.map((column) => test(column).status);
  const delay = probe.score1 >= probe.score2 ? 1 : 2;
  const later = {
    ...probe,
    /** The delay, in bars, that is found the more surely, and what it leaves. */
    delay,
    returns: delay === 1 ? probe.one : probe.two,
    status,
    scoreNeeded: needed,
    sent: figures(sent),
    one: probe.fault === null ? figures(probe.one) : null,
    two: probe.fault === null ? figures(probe.two) : null,
    variantsTested: all?.filter((each) => each !== "not_tested").length ?? null,
    variantsFound: all?.filter((each) => each === "found").length ?? null,
  };
  return { later, reason: probe.fault && FAULTS[probe.fault] };
}
