import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { createDatabase } from "../../snapshots/database.ts";
import { DCA, dcaBlock } from "../../snapshots/tables/dca.ts";
import { INDICATORS, indicatorBlock } from "../../snapshots/tables/indicators.ts";
import { PRICES, priceBlock } from "../../snapshots/tables/prices.ts";
import { REJECTS, rejectBlock } from "../../snapshots/tables/rejects.ts";
import { computeIndicators } from "../../quant/indicators/columns.ts";
import { dcaColumns } from "../../quant/outcomes/dca.ts";
import { madeUpBars } from "../support/made-up-bars.ts";
import { refuseWrites } from "../support/refused-files.ts";
import { query } from "../support/snapshot-text.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const BARS = madeUpBars({ seed: 5, days: 5000 }); // more than two vectors of DuckDB
const folder = () => temporaryFolder("snapshots");

async function written() {
  const dir = folder();
  const filled = Uint8Array.from(BARS.day, (_, row) => (row === 10 ? 1 : 0));
  const rejects = [
    { day: null, line: 0, reason: "header_invalid", raw: `it's "bad", naïve` },
    { day: 18_300, line: 7, reason: "high_below_low", raw: "" },
  ];
  const database = await createDatabase(join(dir, "all.duckdb"));
  const tables = [
    [PRICES, [priceBlock("btc", BARS, filled)]],
    [INDICATORS, [indicatorBlock("btc", BARS.day, computeIndicators(BARS))]],
    [REJECTS, [rejectBlock("btc", rejects), rejectBlock("eth", [])]],
  ] as const;
  for (const [table, blocks] of tables) {
    const load = await database.begin(table);
    for (const block of blocks) load.append(block);
    load.end();
    await database.exportParquet(table, join(dir, `${table.name}.parquet`));
  }
  await database.close();
  return { dir, rejects };
}

describe("createDatabase", () => {
  test("writes Parquet files that plain DuckDB reads value for value", async () => {
    const { dir, rejects } = await written();
    const rows = await query(
      `SELECT *, epoch(day)::BIGINT // 86400 AS n FROM '${dir}/prices.parquet'`,
    );
    expect(rows.map(({ n }) => Number(n))).toEqual(Array.from(BARS.day));
    for (const name of ["open", "high", "low", "close", "volume"] as const) {
      expect(rows.map((row) => row[name])).toEqual(Array.from(BARS[name]));
    }
    expect(rows.map(({ filled }) => filled).indexOf(true)).toBe(10);
    expect(rows.every(({ coin }) => coin === "btc")).toBe(true);
    const refused = await query(`SELECT * FROM '${dir}/rejects.parquet'`);
    expect(refused.map(({ day, reason, raw }) => [day === null, reason, raw])).toEqual(
      rejects.map(({ day, reason, raw }) => [day === null, reason, raw]),
    );
  });

  test.each(["sqlite:data", "~", "s3:"])(
    "writes into the folder %j of the current one",
    async (name) => {
      const dir = folder();
      vi.spyOn(process, "cwd").mockReturnValue(dir);
      mkdirSync(join(dir, name));
      const database = await createDatabase(join(name, "all.duckdb"));
      (await database.begin(REJECTS)).end();
      await database.exportParquet(REJECTS, join(name, "rejects.parquet"));
      await database.close();
      vi.restoreAllMocks();
      expect(readdirSync(join(dir, name))).toEqual(["all.duckdb", "rejects.parquet"]);
    },
  );

  test("writes integers, dates and lists value for value after the first vector of rows", async () => {
    const dir = folder();
    const plans = dcaColumns(BARS, "monthly");
    const refused = Array.from({ length: 5000 }, (_, row) => {
      const day = row % 3 === 0 ? null : 10_000 + row;
      return { day, line: 7 * row, reason: "invalid_number", raw: `row ${row}` };
    });
    const database = await createDatabase(join(dir, "all.duckdb"));
    const load = await database.begin(DCA);
    for (const coin of ["btc", "eth"]) load.append(dcaBlock(coin, "monthly", plans));
    load.end();
    await database.exportParquet(DCA, join(dir, "dca.parquet"));
    const rejects = await database.begin(REJECTS);
    rejects.append(rejectBlock("btc", refused));
    rejects.end();
    await database.exportParquet(REJECTS, join(dir, "rejects.parquet"));
    await database.close();

    const days = (name: string) => `date_diff('day', DATE '1970-01-01', ${name})::INTEGER`;
    const rows = await query(
      `SELECT coin, purchases, ${days("start_date")} AS start, ${days("worst_date")} AS worst
       FROM '${dir}/dca.parquet'`,
    );
    const twice = (values: Int32Array) => [...values, ...values];
    expect(rows.map(({ coin }) => coin).indexOf("eth")).toBe(5000);
    expect(rows.map(({ purchases }) => purchases)).toEqual(twice(plans.purchases));
    expect(rows.map(({ start }) => start)).toEqual(twice(plans.startDay));
    expect(rows.map(({ worst }) => worst)).toEqual(twice(plans.worstDay));
    const read = await query(
      `SELECT ${days("day")} AS day, line, reason, raw FROM '${dir}/rejects.parquet'`,
    );
    expect(read).toEqual(refused);
  });

  test("describes every column in the Parquet file's key-value metadata", async () => {
    const { dir } = await written();
    const rows = await query(
      `SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata('${dir}/prices.parquet')`,
    );
    const about = Object.fromEntries(rows.map(({ key, value }) => [key, value])) as Record<
      string,
      string
    >;
    expect(about["table"]).toBe("prices");
    expect(about["description"]).toBe(PRICES.description);
    expect(JSON.parse(about["columns"]!)).toEqual(PRICES.columns);
    expect(about).toMatchObject({ sorted_by: "coin, day", license: "CC BY 4.0" });
  });

  test("says the same in the database's comments, and holds the same rows", async () => {
    const { dir } = await written();
    const file = join(dir, "all.duckdb");
    const comments = await query(
      `ATTACH '${file}' AS s (READ_ONLY);
       SELECT comment FROM duckdb_columns()
       WHERE table_name = 'prices' AND column_name IN ('coin', 'close') ORDER BY column_index`,
    );
    const [unitless, close] = comments.map(({ comment }) => comment);
    expect([unitless, close]).toEqual(["lower-case ticker", "last price of the day (usd)"]);
    const [difference] = await query(
      `ATTACH '${file}' AS s (READ_ONLY);
       SELECT count(*) AS rows FROM (FROM s.indicators EXCEPT FROM '${dir}/indicators.parquet')`,
    );
    expect(difference).toEqual({ rows: 0n });
    const compressions = await query(
      `ATTACH '${file}' AS s (READ_ONLY);
       SELECT DISTINCT compression FROM pragma_storage_info('s.prices') WHERE segment_type = 'DOUBLE'`,
    );
    expect(compressions, "which would cost a second").toEqual([{ compression: "Uncompressed" }]);
  });

  test.runIf(process.platform === "linux")(
    "fails where the disk refuses the last writes",
    async () => {
      const file = join(folder(), "all.duckdb");
      const database = await createDatabase(file);
      const load = await database.begin(PRICES);
      load.append(priceBlock("btc", BARS, new Uint8Array(BARS.day.length)));
      load.end();
      refuseWrites(file); // for as long as the database has it open
      await expect(database.close()).rejects.toThrow("No space left on device");
    },
  );
});
