import { z } from "zod";
import { BuyHold, HoldingYear } from "../../api/buy-hold.ts";
import { tableOf } from "../../api/table.ts";
import { coinOf } from "./board.ts";
import { readEndpoint } from "./endpoint.ts";
import { originOf } from "./origin.ts";
import { coin } from "./parameters.ts";

/** GET /buy-hold?coin= */
export const buyHold = readEndpoint({
  path: "/buy-hold",
  operationId: "getBuyHold",
  tag: "Market",
  summary: "What buying and holding a coin would have returned, year by year",
  description:
    "For each calendar year of the coin's history: bought at the year's first daily close and held to the coin's last " +
    "complete day: `return_pct` is to that day, `calendar_return_pct` that of the calendar year. Peak and drawdown are of daily closes from entry to that day.",
  query: z.strictObject({ coin: coin("ticker of a coin on the board") }),
  data: BuyHold,
  rows: ({ years }) => tableOf("years", HoldingYear, years),
  examples: { Bitcoin: { coin: "btc" } },
  resolve: (snapshot, query) => ({ coin: coinOf(snapshot, query.coin).ticker }),
  answer(snapshot, { coin: ticker }) {
    const found = coinOf(snapshot, ticker);
    const close = snapshot.bars(ticker)?.close;
    return {
      origin: originOf(snapshot, found),
      coin: ticker,
      lastDay: found.lastDay,
      lastClose: close?.at(-1) ?? NaN,
      years: snapshot.buyHold(ticker) ?? [],
    };
  },
});
