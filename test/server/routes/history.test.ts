import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { beforeAll, describe, expect, test } from "vitest";
import { dateOfDay, dayOfDate } from "../../../quant/calendar.ts";
import { csvOf } from "../../../api/csv.ts";
import { historyTable } from "../../../api/history.ts";
import { buyHold } from "../../../server/routes/buy-hold.ts";
import { dca } from "../../../server/routes/dca.ts";
import { history } from "../../../server/routes/history.ts";
import { signals } from "../../../server/routes/signals.ts";
import { openSnapshot } from "../../../snapshots/reader.ts";
import type { Snapshot } from "../../../snapshots/snapshot.ts";
import { INDICATOR_COLUMNS } from "../../../snapshots/tables/indicators.ts";
import { askOn, type Data } from "../../support/ask-on.ts";
import { marketSnapshot } from "../../support/server-market.ts";
import { runSmall } from "../../support/snapshot-market.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const MARKET = marketSnapshot();
const ask = askOn(MARKET);
const NAMES = INDICATOR_COLUMNS.map(({ name }) => name);

let published: { readonly dir: string };
let snapshot: Snapshot;

beforeAll(async () => {
  published = await runSmall(temporaryFolder("history"));
  snapshot = await openSnapshot(published.dir);
});

/** A column of a coin in a Parquet file, as DuckDB reads it; null is null. */
async function parquetOf(file: string, coin: string, names: readonly string[]) {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const path = join(published.dir, file);
  const rows = await connection.runAndReadAll(
    `SELECT day::VARCHAR AS day, ${names.join()} FROM read_parquet('${path}') WHERE coin = '${coin}' ORDER BY day`,
  );
  return rows.getRowObjectsJS() as Record<string, number | string | null>[];
}

/** As JSON has it. */
const digits = (value: unknown) =>
  value === null ? null : Number((value as number).toPrecision(10));

describe("GET /history", () => {
  test.each(["aaa", "bbb"])(
    "of %s is its part of indicators.parquet, cell by cell",
    async (coin) => {
      const rows = await parquetOf("indicators.parquet", coin, NAMES);
      const data = ask(history, `coin=${coin}&columns=${NAMES.join(",")}`, snapshot);
      expect(data.dates).toEqual(rows.map(({ day }) => day));
      expect(Object.keys(data.columns)).toEqual(NAMES);
      for (const name of NAMES) {
        expect({ name, values: data.columns[name] }).toEqual({
          name,
          values: rows.map((row) => digits(row[name])),
        });
      }
      const closes = await parquetOf("prices.parquet", coin, ["close"]);
      const { columns } = ask(history, `coin=${coin}&columns=close`, snapshot);
      expect(columns.close).toEqual(closes.map(({ close }) => digits(close)));
    },
  );

  test("is the days from and to, which are the coin's by default", () => {
    const query = "coin=btc&columns=close,rsi_14&from=2022-06-01&to=2022-06-03";
    const data = ask(history, query);
    expect(data).toMatchObject({
      coin: "btc",
      step: "day",
      from: "2022-06-01",
      to: "2022-06-03",
      partial: false,
      dates: ["2022-06-01", "2022-06-02", "2022-06-03"],
    });
    const whole = ask(history, "coin=btc&columns=close,rsi_14");
    expect([whole.from, whole.to]).toEqual(["2020-01-01", "2022-06-18"]);
    const at = whole.dates.indexOf("2022-06-01");
    expect(data.columns.rsi_14).toEqual(whole.columns.rsi_14.slice(at, at + 3));
    expect(whole.columns.rsi_14.slice(0, 15).map((value: Data) => value === null)).toEqual([
      ...Array.from({ length: 14 }, () => true),
      false,
    ]);
  });

  test.each([
    ["week", (date: Date) => date.getUTCDay() === 0],
    ["month", (date: Date) => new Date(date.getTime() + 86_400_000).getUTCDate() === 1],
  ] as const)(
    "by %s has the last day of each, and says whether the last is whole",
    (step, ends) => {
      const whole = ask(history, "coin=btc&columns=close,ema_10");
      const dates: string[] = whole.dates.filter(
        (date: string, row: number) => ends(new Date(date)) || row === whole.dates.length - 1,
      );
      const data = ask(history, `coin=btc&columns=close,ema_10&step=${step}`);
      expect(data.dates).toEqual(dates);
      const valueOn = (date: string) => whole.columns.ema_10[whole.dates.indexOf(date)];
      expect(data.columns.ema_10).toEqual(dates.map(valueOn));
      expect(data.partial).toBe(true); // 2022-06-18 is a Saturday
      const to = data.dates.at(-2) as string;
      const cut = ask(history, `coin=btc&columns=close&step=${step}&to=${to}`);
      expect([cut.partial, cut.dates.at(-1)]).toEqual([false, to]);
      const next = dateOfDay(dayOfDate(to)! + 1);
      const begun = ask(history, `coin=btc&columns=close&step=${step}&to=${next}`);
      expect([begun.partial, begun.dates.at(-1)]).toEqual([true, next]);
    },
  );

  test("has columns in the table's order, each once, and is the same answer", () => {
    const resolved = (columns: string) =>
      history.resolve(MARKET, history.query.parse({ coin: "btc", columns }));
    expect(resolved("rsi_14,close,rsi_14")).toEqual(resolved("close,rsi_14"));
    const { columns } = ask(history, "coin=btc&columns=obv,close,rsi_14&from=2022-06-18");
    expect(Object.keys(columns)).toEqual(["close", "rsi_14", "obv"]);
  });

  test.each([
    ["columns=rsi", 'there is no column "rsi"; nearest: "rsi_14"'],
    ["columns=close,", 'there is no column ""'],
    ["columns=Close", 'there is no column "Close"; nearest: "close"'],
    ["columns=signal_rsi", "there is no column"],
    ["", 'parameter "columns" is required'],
    ["columns=", 'parameter "columns" must be names of columns such as "close,rsi_14,rating"'],
    ["columns=close&from=2022-06-19", '"from" must be within the history of "btc", 2020-01-01 to'],
    ["columns=close&to=2019-12-31", '"to" must be within the history of "btc"'],
    [
      "columns=close&from=2022-01-01&start_date=2022-01-02",
      'parameters "from" and "start_date" mean the same: give one, got "2022-01-01" and "2022-01-02"',
    ],
    ["columns=close&from=2022-01-02&to=2022-01-01", '"from" must not be after "to"'],
    ["columns=close&step=year", 'must be "day" or "week" or "month"'],
    [`columns=${NAMES.join(",")}`, `900 rows of ${NAMES.length} columns are`],
  ])("?coin=btc&%s is refused", (query, message) => {
    expect(() => ask(history, `coin=btc&${query}`)).toThrow(message);
  });

  test("has the rating that GET /signals shows on each day", () => {
    const data = ask(history, "coin=btc&columns=rating,rating_score,rsi_14");
    expect(Object.keys(data.columns)).toEqual(["rsi_14", "rating_score"]);
    for (const row of [0, 8, 30, 200, 500, data.dates.length - 1]) {
      const { signal } = ask(signals, `coin=btc&date=${data.dates[row]}`);
      const { rating, score } = signal.summary;
      expect([data.ratings[row], data.columns.rating_score[row]]).toEqual([rating, score]);
    }
    expect(new Set(data.ratings).size, "all five, and none").toBe(6);
    expect(ask(history, "coin=btc&columns=close")).not.toHaveProperty("ratings");
    const monthly = ask(history, "coin=btc&columns=rating&step=month");
    const on = (date: string) => data.ratings[data.dates.indexOf(date)];
    expect(monthly.ratings).toEqual(monthly.dates.map(on));
  });

  test("of several coins has the rows of each one's own answer, coin by coin", () => {
    const tickers = MARKET.coins.map(({ ticker }) => ticker);
    const query = "columns=close,rating&step=month";
    const data = ask(history, `coin=${tickers.toReversed().join()}&${query}`);
    const own = tickers.map((ticker) => ask(history, `coin=${ticker}&${query}`));
    expect(data.coin).toBe(tickers.join());
    expect(data.coins).toEqual(own.flatMap(({ coin, dates }) => dates.map(() => coin)));
    for (const column of ["dates", "ratings"])
      expect(data[column]).toEqual(own.flatMap((each) => each[column]));
    expect(data.columns.close).toEqual(own.flatMap(({ columns }) => columns.close));
    expect(own[0].coins, "one coin has its answer of before").toBeUndefined();
    const table = historyTable(data);
    expect(table.columns.map(({ name }) => name)).toEqual([
      "coin",
      "date",
      "partial",
      "close",
      "rating",
    ]);
    const csv = csvOf(table).trim().split("\r\n");
    expect(csv).toHaveLength(data.dates.length + 1);
    const isPartial = own.flatMap(({ dates, partial }) =>
      dates.map((_: string, row: number) => partial && row === dates.length - 1),
    );
    expect(csv.slice(1).map((line) => line.split(",")[2])).toEqual(isPartial.map(String));
    expect(ask(history, "coin=btc,btc&columns=close").coins, "each once").toBeUndefined();
    expect(() => ask(history, "coin=btc,etj&columns=close")).toThrow(
      'coin "etj" is not on the board; nearest: "eth"',
    );
    expect(() => ask(history, "coin=btc,&columns=close")).toThrow('coin "" is not on the board');
    expect(() => ask(dca, "coin=btc,eth")).toThrow("one coin a call; GET /history takes several");
  });

  test("leaves out the days that a coin does not have, and says of which coin", () => {
    const whole = ask(history, "coin=btc&columns=close");
    const cut = ask(history, "coin=btc&columns=close&from=2015-01-01&to=2030-01-01");
    expect(cut).toEqual({ ...whole, cut: [{ coin: "btc", from: whole.from, to: whole.to }] });
    expect(whole.cut).toEqual([]);
    expect(ask(history, `coin=btc&columns=close&from=${whole.from}`).cut).toEqual([]);
    const { ticker, firstDay } = MARKET.coins.reduce((a, b) => (b.firstDay > a.firstDay ? b : a));
    expect(ticker).not.toBe("btc");
    const before = dateOfDay(firstDay - 1);
    const both = ask(history, `coin=btc,${ticker}&columns=close&from=${before}&to=${before}`);
    expect(both.cut).toEqual([{ coin: ticker, from: null, to: null }]);
    expect(both.coins).toEqual(["btc"]);
  });

  test("takes both names of a date", () => {
    const [one, other] = ["from", "start_date"].map((name) =>
      ask(history, `coin=btc&columns=close&${name}=2022-06-01`),
    );
    expect(other).toEqual(one);
    for (const endpoint of [dca, buyHold]) {
      const own = ask(endpoint, "coin=btc&start_date=2022-01-01&end_date=2022-06-01");
      expect(ask(endpoint, "coin=btc&from=2022-01-01&to=2022-06-01")).toEqual(own);
      expect(
        ask(endpoint, "coin=btc&from=2022-01-01&start_date=2022-01-01&end_date=2022-06-01"),
        "twice the same",
      ).toEqual(own);
    }
  });

  test("keeps what is in dollars where prices are withheld", () => {
    const withheld = { ...MARKET, withholdsPrices: true };
    const points = ask(history, "coin=btc&columns=rsi_14,drawdown_from_high_pct", withheld);
    expect(points.columns.rsi_14.at(-1)).toBeGreaterThan(0);
    for (const name of ["close", "sma_50", "macd_line", "atr_14"]) {
      expect(() => ask(history, `coin=btc&columns=rsi_14,${name}`, withheld)).toThrow(
        `"${name}" is in dollars, and this server withholds prices`,
      );
    }
  });
});
