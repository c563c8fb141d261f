import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { beforeAll, describe, expect, test } from "vitest";
import { dateOfDay, dayOfDate } from "../../../quant/calendar.ts";
import { history } from "../../../server/routes/history.ts";
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
    ["columns=", 'parameter "columns" must be names of columns such as "close,rsi_14"'],
    ["columns=close&from=2019-12-31", '"from" must be within the history of "btc", 2020-01-01 to'],
    ["columns=close&to=2022-06-19", '"to" must be within the history of "btc"'],
    ["columns=close&from=2022-01-02&to=2022-01-01", '"from" must not be after "to"'],
    ["columns=close&step=year", 'must be "day" or "week" or "month"'],
    [`columns=${NAMES.join(",")}`, `900 rows of ${NAMES.length} columns are`],
  ])("?coin=btc&%s is refused", (query, message) => {
    expect(() => ask(history, `coin=btc&${query}`)).toThrow(message);
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
