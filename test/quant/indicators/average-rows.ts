import { AVERAGE_PERIODS, type AveragePeriod } from "../../../quant/indicators/columns.ts";
import { ema } from "../../../quant/indicators/ema.ts";
import { hullMa } from "../../../quant/indicators/hull-ma.ts";
import { ichimoku } from "../../../quant/indicators/ichimoku.ts";
import { sma } from "../../../quant/indicators/sma.ts";
import { vwma } from "../../../quant/indicators/vwma.ts";
import { TULIP } from "../../support/indicator-reference.ts";
import type { AVERAGES } from "../../../quant/signals/averages.ts";
import { CLOSE, RANGE, price, talib, middleOf, type IndicatorRow } from "./row.ts";

const { close } = TULIP;

type Name = keyof typeof AVERAGES | `${"ema" | "sma"} ${AveragePeriod}`;

export const AVERAGE_ROWS: Readonly<Record<Name, IndicatorRow>> = {
  ...averages("ema", ema),
  ...averages("sma", sma),
  hullMa: {
    columns: { hullMa9: price(10, (bars) => hullMa(bars.close, 9)) },
    firstReading: 10,
    periodsFrom2: [(period) => hullMa(close, period)],
  },
  vwma: {
    columns: { vwma20: price(19, (bars) => vwma(bars, 20)) },
    firstReading: 19,
    periods: [(period) => vwma(TULIP, period)],
  },
  ichimoku: {
    columns: {
      ichimokuConversion: price(8, talib("MIDPRICE", RANGE, [9])),
      ichimokuBase: price(25, talib("MIDPRICE", RANGE, [26])),
      ichimokuLead1: price(25, middleOf("ichimokuConversion", "ichimokuBase")),
      ichimokuLead2: price(51, talib("MIDPRICE", RANGE, [52])),
    },
    firstReading: 77, // the cloud is of 26 days before
    periods: [
      (period) => ichimoku(TULIP, period, 26, 52),
      (period) => ichimoku(TULIP, 9, period, 52),
      (period) => ichimoku(TULIP, 9, 26, period),
    ],
  },
};

function averages(kind: "ema" | "sma", average: typeof ema) {
  const rows = AVERAGE_PERIODS.map((days): [string, IndicatorRow] => {
    const output = price(days - 1, talib(kind.toUpperCase(), CLOSE, [days]));
    const periods = [(period: number) => average(close, period)];
    const columns = { [`${kind}${days}`]: output };
    return [`${kind} ${days}`, { columns, firstReading: days - 1, periods }];
  });
  return Object.fromEntries(rows) as Record<`${typeof kind} ${AveragePeriod}`, IndicatorRow>;
}
