import { beforeAll, describe, expect, test } from "vitest";
import { FIGURES } from "../../../quant/dataset/figures.ts";
import { significant } from "../../../api/significant-digits.ts";
import { datasetTablesOf, rowsOfBlocks, type Row } from "../../../snapshots/dataset-tables.ts";
import { readHistory } from "../../../snapshots/history.ts";
import { openSnapshot } from "../../../snapshots/reader.ts";
import { DATASET_AGGREGATES } from "../../../snapshots/tables/dataset-aggregates.ts";
import { datasetBlock } from "../../../snapshots/tables/dataset.ts";
import { DomainError } from "../../../server/http/errors.ts";
import { dataset } from "../../../server/routes/dataset.ts";
import { readQuery } from "../../../server/routes/parameters.ts";
import { askOn, type Data } from "../../support/ask-on.ts";
import { MONTH } from "../../support/made-up-dataset.ts";
import { marketSnapshot } from "../../support/server-market.ts";
import { memorySource, runSmall, smallMarket } from "../../support/snapshot-market.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const SNAPSHOT = marketSnapshot();
const ask = askOn(SNAPSHOT);

function refusal(query: string): DomainError {
  try {
    dataset.resolve(SNAPSHOT, readQuery(dataset.query, query));
  } catch (error) {
    if (error instanceof DomainError) return error;
  }
  throw new Error(`${query} was not refused`);
}

describe("GET /dataset of a published snapshot", () => {
  const folder = temporaryFolder("dataset");
  let headline: Data;
  let rows: Row[] = [];
  beforeAll(async () => {
    const { dir } = await runSmall(folder, { source: memorySource(smallMarket(1000)) });
    const { tables } = await readHistory(dir, [DATASET_AGGREGATES]);
    rows = rowsOfBlocks(tables.get(DATASET_AGGREGATES)!);
    headline = askOn(await openSnapshot(dir))(dataset, "").headline;
  });

  test.each(["all", "template", "coin", "family"])(
    "has what the table of aggregates has of scope %s",
    (scope) => {
      const parts = scope === "all" ? { "": headline.overall } : headline[`by_${scope}`];
      const answered = Object.entries(parts).flatMap(([part, figures]) =>
        Object.entries(figures as Data).map(
          ([name, figure]) => [`${part} ${name}`, figure] as const,
        ),
      );
      const stored = rows
        .filter((row) => row["scope"] === scope && (row["n"] !== 0 || row["value"] !== null))
        .map(({ value, coin_flip: flip, n, figure, ...row }) => {
          const [shown, ofFlip] = [value, flip].map((of) => significant(of as number));
          const part = scope === "all" ? "" : String(row[scope]);
          return [`${part} ${String(figure)}`, { value: shown, coin_flip: ofFlip, n }] as const;
        });
      expect(stored.length).toBeGreaterThan(20);
      expect(new Set(answered.map(([name]) => name))).toEqual(
        new Set(stored.map(([name]) => name)),
      );
      expect(Object.fromEntries(answered)).toMatchObject(Object.fromEntries(stored));
    },
  );
});

describe("GET /dataset", () => {
  const whole = ask(dataset, "");

  test("says what the dataset is", () => {
    expect(whole.dataset).toEqual({
      version: "2025-06",
      as_of: "2025-06-30",
      runs_total: 572,
      templates: 22,
      coins: 2,
      variants: 13,
      in_sample: { share: 0.7, start: "2022-10-05", end: "2024-09-03" },
      out_of_sample: { share: 0.3, start: "2024-09-04", end: "2025-06-30" },
      note: expect.stringContaining("2 coins of the board") as string,
    });
  });

  test("holds every pick and the figures of all, of each template, coin and family", () => {
    expect(whole.picks_total).toBe(4);
    expect(whole.picks_matching).toBe(4);
    expect(whole.picks.map((pick: Data) => [pick.coin, pick.template])).toEqual([
      ["btc", "macd_cross"],
      ["btc", "rsi_reversion"],
      ["eth", "macd_cross"],
      ["eth", "rsi_reversion"],
    ]);
    expect(Object.keys(whole.headline)).toEqual([
      "overall",
      "by_template",
      "by_coin",
      "by_family",
      "robustness",
    ]);
    expect(Object.keys(whole.headline.by_template)).toEqual(["macd_cross", "rsi_reversion"]);
    expect(Object.keys(whole.headline.by_coin)).toEqual(["btc", "eth"]);
    expect(Object.keys(whole.headline.by_family)).toEqual(["momentum", "mean_reversion"]);
    expect(Object.keys(whole.headline.overall)).toEqual(FIGURES.map(({ name }) => name));
    expect(whole.headline.overall.share_beating_random.coin_flip).toBe(0.5);
    expect(whole.headline.overall.flat_runs).toEqual({ value: 0, coin_flip: null, n: 52 });
  });

  test("a pick is the row of the table", () => {
    const [row] = SNAPSHOT.dataset.picks;
    const [pick] = whole.picks;
    expect(pick.in_sample.sharpe).toBeCloseTo(Number(row!["in_sample_sharpe"]), 9);
    expect(pick.deflated_sharpe_ratio.n_286).toBeCloseTo(
      Number(row!["deflated_sharpe_ratio_n_286"]),
      9,
    );
    expect(pick.haircut_pct).toBeCloseTo(
      (1 - pick.out_of_sample.sharpe / pick.in_sample.sharpe) * 100,
      6,
    );
    expect(pick.params).toEqual(expect.objectContaining({ fast: expect.any(Number) as number }));
    expect(pick.survives).toBe(pick.deflated_sharpe_ratio.n_286 >= 0.95);
  });

  test.each([
    ["template=macd_cross", 2, "template", "macd_cross"],
    ["coin=eth", 2, "coin", "eth"],
  ])(
    "%s narrows the picks and has the figures of that part as matching",
    (query, count, by, name) => {
      const data = ask(dataset, query);
      expect(data.picks_total).toBe(4);
      expect(data.picks).toHaveLength(count);
      expect(data.picks.every((pick: Data) => pick[by] === name)).toBe(true);
      expect(data.headline.matching).toEqual(whole.headline[`by_${by}`][name]);
      expect(data.headline.overall).toEqual(whole.headline.overall);
      expect(data.filters).toMatchObject({ [by]: name, note: null });
    },
  );

  test("both filters leave one pick and its own figures", () => {
    const data = ask(dataset, "template=rsi_reversion&coin=btc");
    expect(data.picks).toHaveLength(1);
    const { matching } = data.headline;
    expect(matching.median_in_sample_sharpe.value).toBe(data.picks[0].in_sample.sharpe);
    expect(matching.mean_pbo.value).toBe(data.picks[0].pbo);
    expect(matching.mean_out_of_sample_rank).toEqual({
      value: data.picks[0].out_of_sample_rank,
      coin_flip: 7,
      n: 1,
    });
    expect(matching.mean_coin_pbo).toBeUndefined();
  });

  test("the finding comes with its error bars", () => {
    const { robustness } = ask(dataset, "").headline;
    expect(robustness.split_70).toEqual({
      premium_in_sample: 0.298,
      premium_out_of_sample: 0.004,
      share_kept: 0.01342281879,
      low: -0.02,
      high: 0.026,
      picks: 44,
      coins: 2,
      permuted_blocks_5: { low: -0.013, high: 0.026, p: 0.52 },
      permuted_blocks_60: { low: -0.025, high: 0.026, p: 0.53 },
    });
  });

  test("a coin of the board that is not in the dataset has no picks, and the answer says why", () => {
    const data = ask(dataset, "coin=new");
    expect(data.picks).toEqual([]);
    expect(data.headline.matching).toBeNull();
    expect(data.filters.note).toContain('"new" is not one of the 2 coins');
    expect(ask(dataset, "coin=new&template=ma_cross").filters.note).toContain('"new"');
  });

  test("an unknown coin or template is refused with the nearest", () => {
    expect(refusal("coin=btx")).toMatchObject({
      code: "unknown_coin",
      message: expect.stringContaining('"btc"') as string,
    });
    expect(refusal("template=macd_cros")).toMatchObject({
      code: "unknown_strategy",
      message: expect.stringContaining('"macd_cross"') as string,
    });
    expect(refusal("template=").code).toBe("invalid_parameter");
    expect(refusal("template=ma_cross&variant=1").code).toBe("invalid_parameter");
  });

  test("a dataset without coins is an answer too", () => {
    const identity = { month: MONTH, catalogue: "" };
    const tables = {
      dataset: [datasetBlock(identity, [], 0)],
      aggregates: [],
      cells: [],
      picks: [],
      robustness: [],
    };
    const data = ask(dataset, "", { ...SNAPSHOT, dataset: datasetTablesOf(tables) });
    expect(data.dataset).toMatchObject({ coins: 0, runs_total: 0, in_sample: { start: null } });
    expect(data.picks).toEqual([]);
    expect(data.headline.robustness).toBeNull();
    expect(data.filters.note).toContain("no coin of the board");
  });
});
