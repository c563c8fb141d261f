import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { StudyResult } from "../../api/study.ts";
import { loadBoard } from "../../pipeline/board.ts";
import { openSource } from "../../pipeline/sources/open-source.ts";
import type { Bars } from "../../quant/bars.ts";
import { dayOfDate } from "../../quant/calendar.ts";
import { DEFAULT_COSTS } from "../../quant/engine/costs.ts";
import { ENGINE_VERSION } from "../../quant/engine/version.ts";
import { runAskedStudy, studyDays } from "../../quant/studies/asked-study.ts";
import { typedValues } from "../../quant/studies/parameter-grid.ts";
import { aloneChart } from "../../web/charts/alone-chart.tsx";
import type { Drawing } from "../../web/charts/chart.tsx";
import { decimal } from "../../web/format.ts";
import { htmlStudy } from "../../web/report/html-report.tsx";
import { surfaceDrawing, walkDrawing } from "../../web/report/study-view.tsx";
import { builtScript } from "../support/built-script.ts";

const DOCS = join(import.meta.dirname, "../../docs");
const TEXT = readFileSync(join(DOCS, "studies.md"), "utf8").replaceAll(/\s+(?:> )?/g, " ");
/** As wide as the text of the documentation. */
const WIDTH = 700;

type Row = Readonly<Record<"day" | "open" | "high" | "low" | "close" | "volume", number>>;

function barsOf(rows: readonly Row[]): Bars {
  const column = (name: keyof Row) => Float64Array.from(rows, (row) => row[name]);
  const [open, high, low, close] = (["open", "high", "low", "close"] as const).map(column);
  const prices = { open: open!, high: high!, low: low!, close: close! };
  return { day: Int32Array.from(rows, ({ day }) => day), ...prices, volume: column("volume") };
}

/** Ether of the demo market, as the first command has it. */
async function demoEther(): Promise<Bars> {
  const board = loadBoard();
  const options = { board, now: () => 0, exchangeUrl: undefined, onNotice() {} };
  const source = await openSource("demo", options);
  const range = { fromDay: null, toDay: dayOfDate("2026-11-26")! };
  return barsOf(
    (
      await source.fetch(
        board.find(({ ticker }) => ticker === "eth")!,
        range,
      )
    ).rows,
  );
}

/** The prices in which a rule works. */
function planted(): Bars {
  const csv = execFileSync(process.execPath, [builtScript("dev/planted-prices")], {
    encoding: "utf8",
  });
  const rows = csv.trim().split("\n").slice(1);
  return barsOf(
    rows.map((line): Row => {
      const [date, ...cells] = line.split(",");
      const [open, high, low, close, volume] = cells.map(Number) as [
        number,
        number,
        number,
        number,
        number,
      ];
      return { day: dayOfDate(date!)!, open, high, low, close, volume };
    }),
  );
}

function studied(
  bars: Bars,
  asked: Pick<Parameters<typeof runAskedStudy>[0], "strategy" | "coin">,
  ranges: Record<string, string>,
  start?: string,
): StudyResult {
  const parameters = Object.fromEntries(
    Object.entries(ranges).map(([name, text]) => [name, typedValues(name, text)]),
  );
  const days = studyDays(bars, start === undefined ? undefined : dayOfDate(start), undefined);
  const of = { ...asked, parameters, ...days, ...DEFAULT_COSTS, folds: 6 };
  const study = runAskedStudy(of, bars, { peers: null });
  return StudyResult.from({ ...study, engineVersion: ENGINE_VERSION, snapshotId: "" });
}

/** Compares a picture with what a study draws; HINDSIGHT_GOLDEN=write rewrites it. */
function expectPicture(name: string, drawing: Drawing | null): void {
  const path = join(DOCS, "pictures", `${name}.svg`);
  const drawn = `${aloneChart({ ...drawing!, width: WIDTH }, "", true)}\n`;
  if (process.env["HINDSIGHT_GOLDEN"] === "write") writeFileSync(path, drawn);
  expect(readFileSync(path, "utf8"), `HINDSIGHT_GOLDEN=write rewrites ${path}`).toBe(drawn);
  expect(TEXT).toContain(`](pictures/${name}.svg)`);
}

describe("the examples of docs/studies.md", () => {
  test("where there is nothing to find", { timeout: 60_000 }, async () => {
    const ranges = { period: "7..28:3", oversold: "20..40:4" };
    const result = studied(
      await demoEther(),
      { strategy: "rsi_reversion", coin: "eth" },
      ranges,
      "2021-01-01",
    );
    const { best, walk_forward: walk, check } = result;
    expectPicture("study-nothing", surfaceDrawing(result, false));
    expectPicture("study-nothing-forward", walkDrawing(walk!, false));
    const { draws, values } = walk!.lead_after_shuffled;
    const passed = values.filter((value) => value < walk!.lead_after!).length;
    expect(htmlStudy({ result, isSynthetic: true })).toContain(
      `its lead afterwards was above that on ${passed} of ${draws} shuffles of the days`,
    );
    const { low, high } = best!.flatness_shuffled;
    const two = (value: number | null) => decimal(value, 2);
    for (const said of [
      `\`${best!.label}\`, has a Sharpe ratio of ${two(best!.run.sharpe)}, a little more than holding`,
      check!.verdict.sentence.replace(/^[^:]*: /, ""),
      `The best setting is ${two(best!.flatness)} above its neighbours; on shuffled days it is ${two(low)} to ${two(high)} above`,
      `were ${two(walk!.lead_before)} above the mean of all settings before, and ${two(-walk!.lead_after!)} below it after`,
    ])
      expect(TEXT).toContain(said);
  });

  test("where an edge was planted", { timeout: 60_000 }, () => {
    const ranges = { fast: "3,5,8,10,13,16,20,25", slow: "30..80:10" };
    const result = studied(planted(), { strategy: "ma_cross", coin: "btc" }, ranges);
    const { best, check } = result;
    expectPicture("study-planted", surfaceDrawing(result, false));
    for (const said of [
      `the best, \`${best!.label}\`, is only ${decimal(best!.flatness, 2)} above its neighbours`,
      `expect less than ${decimal(best!.run.sharpe, 2)}.`,
      check!.verdict.sentence.replace(/^[^:]*: /, ""),
    ])
      expect(TEXT).toContain(said);
  });
});
