/** Runs a study in a thread of the reader's browser, with the functions of the server and the command. */
import { StudyResult } from "../../api/study.ts";
import { rowOfDay, type Bars } from "../../quant/bars.ts";
import { dateOfDay, dayOfDate } from "../../quant/calendar.ts";
import { cutMessage } from "../../quant/cut-message.ts";
import { runBacktest } from "../../quant/engine/backtest.ts";
import { holdReturns } from "../../quant/engine/hold.ts";
import { ENGINE_VERSION } from "../../quant/engine/version.ts";
import { findTemplate } from "../../quant/strategies/catalogue.ts";
import { createMarket } from "../../quant/strategies/market.ts";
import { flagsOf } from "../../quant/strategies/template.ts";
import {
  assertStudySize,
  runAskedStudy,
  studyDays,
  type AskedStudy,
} from "../../quant/studies/asked-study.ts";
import { parameterGrid } from "../../quant/studies/parameter-grid.ts";
import { fetchBars } from "./fetch-bars.ts";
import type { SingleCurve, StudyNews, StudyOrder } from "./study-messages.ts";

const POINTS_MAX = 300;
const RESAMPLES = 1_000;

addEventListener("message", ({ data }: MessageEvent<StudyOrder>) => {
  void answer(data).then(tell, (error: unknown) => {
    const message = cutMessage(error instanceof Error ? error.message : String(error));
    tell({ kind: "refused", message });
  });
});

async function answer(order: StudyOrder): Promise<StudyNews> {
  const bars = await fetchBars(order.coin);
  const asked = askedOf(order, bars);
  const { sets } = parameterGrid(findTemplate(asked.strategy)!, asked.parameters); // the page names a template
  assertStudySize(asked, sets.length);
  const tried = sets.map((params) => `${order.start} ${Object.values(params).join()}`);
  const known = new Set([...order.before, ...tried]).size;
  const study = runAskedStudy({ ...asked, nTrials: known + order.elsewhere }, bars, {
    known,
    peers: null,
    resamples: RESAMPLES,
    onProgress: (progress) => tell({ kind: "progress", progress }),
  });
  const result = StudyResult.from({ ...study, engineVersion: ENGINE_VERSION, snapshotId: "" });
  return {
    kind: "done",
    result,
    tried,
    curve: sets.length === 1 ? curveOf(asked, bars) : undefined,
  };
}

function askedOf(order: StudyOrder, bars: Bars): AskedStudy {
  const dayOf = (date: string) => (date === "" ? undefined : (dayOfDate(date) ?? Number.NaN));
  const days = studyDays(bars, dayOf(order.start), dayOf(order.end));
  const { strategy, coin, values: parameters, feeRate, slippageRate, folds } = order;
  const asked = { strategy, coin, parameters, feeRate, slippageRate, ...days };
  return { ...asked, folds: folds > 0 ? folds : undefined };
}

/** What 1,000 became with the only set, and with holding. */
function curveOf(asked: AskedStudy, bars: Bars): SingleCurve {
  const template = findTemplate(asked.strategy)!; // it has run
  const [params] = parameterGrid(template, asked.parameters).sets;
  const window = { from: rowOfDay(bars, asked.startDay), to: rowOfDay(bars, asked.endDay) + 1 };
  const flags = flagsOf(template, createMarket(bars), params!);
  const { equity, days } = runBacktest({ bars, flags, window, startingCash: 1000, costs: asked });
  let value = 1000;
  const hold = holdReturns(bars, window).map((change) => (value *= 1 + change));
  const step = Math.max(1, Math.ceil(days.length / POINTS_MAX));
  const thin = (column: ArrayLike<number>) =>
    Array.from(column).filter((_, row) => row % step === 0);
  return { dates: thin(days).map(dateOfDay), run: thin(equity), hold: thin(hold) };
}

function tell(news: StudyNews): void {
  postMessage(news);
}
