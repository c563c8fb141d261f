import { describe, expect, test } from "vitest";
import { checkFile, type CheckFileOptions } from "../../check/check-file.ts";
import { MoreNeeded } from "../../check/formats/export.ts";
import { readExport } from "../../check/formats/read-export.ts";
import { ofLive } from "../../check/of-live.ts";
import { dayOfDate } from "../../quant/calendar.ts";
import { L4, P } from "../quant/live/series.ts";
import { csv, liveFiles } from "../support/live-files.ts";

const { backtest, live, both } = liveFiles();
const bytesOf = (text: string) => new TextEncoder().encode(text);

async function held(text: string, options: CheckFileOptions = {}, promised = backtest) {
  const read = await ofLive(() => readExport(bytesOf(text), options.live ?? {}));
  return checkFile(bytesOf(promised), options, { live: read });
}

const LAST = dayOfDate("2023-05-22")!;

describe("a live file beside a backtest", () => {
  test("is compared by the variant that the check judged", async () => {
    const { report, live: days } = await held(live, { nTrials: 20 });
    expect(report.input.selected).toBe("v0");
    expect(report.live!.verdict.value).toBe("stop_loses");
    expect(days!.returns).toHaveLength(300);
    const other = await held(live, { selected: "v3" });
    expect(other.report.live!.claim.sharpe).not.toBeCloseTo(report.live!.claim.sharpe, 3);
  });

  test("counts as many variants as the panel has, of finer bars their days, and of an equity curve its steps", async () => {
    let value = 1000;
    const rows = Array.from({ length: 24 * 60 }, (_, hour) => {
      value *= 1 + L4[hour % 94]! / 10;
      const instant = new Date(((LAST + 1) * 24 + hour) * 3_600_000).toISOString();
      return `${instant},${value}`;
    });
    const { report } = await held(`time,equity\n${rows.join("\n")}\n`);
    expect(report.live).toMatchObject({ days: 60, gapDays: 0 });
    expect(report.live!.claim.nTrials).toEqual({ value: 5, source: "measured" });
    const codes = report.input.warnings.filter(({ message }) => message.startsWith("of the live"));
    expect(codes.map(({ code }) => code)).toEqual(["compounded_to_days"]);
  });

  test.each([1, 2, 5, 19])("of %d days is too early to say anything", async (days) => {
    const { report } = await held(csv(["returns"], [L4.slice(0, days)], LAST + 1));
    expect(report.live!.verdict.value).toBe("too_early");
    expect(report.live).toMatchObject({ days, activeDays: days, periodsPerYear: 365 });
  });

  test("that never traded is too early, too", async () => {
    const flat = csv(["returns"], [new Float64Array(40)], LAST + 1);
    const { report } = await held(flat);
    expect(report.live).toMatchObject({ days: 40, activeDays: 0 });
    expect(report.live!.verdict.value).toBe("too_early");
  });

  test("with several series takes the one that is named, or is called as the variant", async () => {
    const several = csv(["v7", "v8"], [P[1]!, P[2]!], LAST + 1);
    await expect(held(several)).rejects.toThrow(/the live record has 2 series, "v7", "v8"/);
    const { report } = await held(several, { liveSelected: "v8" });
    expect(report.live!.days).toBe(500);
    const called = csv(["v7", "v0"], [P[1]!, P[2]!], LAST + 1);
    expect((await held(called)).report.live!.sharpe).toBeCloseTo(report.live!.sharpe, 9);
  });

  test("and the backtest have to be daily", async () => {
    const weekly = (first: number) => {
      const rows = Array.from({ length: 40 }, (_, week) => {
        const date = new Date((first + 7 * week) * 86_400_000).toISOString().slice(0, 10);
        return `${date},${P[1]![week]}`;
      });
      return `date,returns\n${rows.join("\n")}\n`;
    };
    await expect(held(weekly(LAST + 1))).rejects.toThrow(/live record has a bar every 7 days/);
    await expect(held(live, {}, weekly(LAST - 500))).rejects.toThrow(/backtest has a bar every 7/);
  });

  test("says whose fault it is and whose question", async () => {
    await expect(held("nothing")).rejects.toThrow(/^the live record: /);
    const percents = `date,return\n${Array.from({ length: 30 }, (_, at) => `2023-06-${String(at + 1).padStart(2, "0")},${at % 3 === 0 ? -0.8 : 0.7}`).join("\n")}\n`;
    const asked = await held(percents).catch((error: unknown) => error);
    expect(asked).toBeInstanceOf(MoreNeeded);
    expect((asked as MoreNeeded).isLive).toBe(true);
    const { report } = await held(percents, { live: { unit: "percent" } });
    expect(report.input.options).toEqual({ live_unit: "percent" });
  });
});

describe("one file that began as a backtest", () => {
  test("is judged by its days before, and live from the day on", async () => {
    const options = { nTrials: 20, liveSince: "2023-05-23" };
    const one = (await checkFile(bytesOf(both), options)).report;
    const two = (await held(live, { nTrials: 20 })).report;
    expect(one.input.sha256).toBe(two.input.sha256);
    expect(one.verdict).toEqual(two.verdict);
    expect(one.live!.stop).toEqual(two.live!.stop);
    expect(one.live!.overlap).toBeNull();
  });

  test("needs a backtest before the day, and days from it on", async () => {
    const since = (liveSince: string) => checkFile(bytesOf(both), { liveSince });
    await expect(since("2022-01-08")).rejects.toThrow(/no backtest that moves before 2022-01-08/);
    await expect(since("2022-01-12")).rejects.toThrow(/4 days before|at least 10 bars/);
    await expect(since("2030-01-01")).rejects.toThrow(/no day from 2030-01-01 on/);
  });
});
