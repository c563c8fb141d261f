import { FileRefused } from "../../../files/refused.ts";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MoreNeeded, type ReadExport } from "../../../check/formats/export.ts";
import { readExport } from "../../../check/formats/read-export.ts";
import { buildPanel } from "../../../quant/check/build-panel.ts";
import { PanelRefused, type Panel } from "../../../quant/check/panel.ts";
import { instantText } from "../../../quant/check/ordered-rows.ts";
import { inferSharpe } from "../../../quant/check/sharpe-inference.ts";
import { publishedClaims } from "../../../quant/check/claims.ts";
import { cscv } from "../../../quant/overfitting/cscv.ts";
import { EXPORTS_FOLDER } from "../../support/exports.ts";
import { csvOf, smallReturn, utf8 } from "./files.ts";
import { trialsSharpeVariance } from "../../../quant/overfitting/trials-variance.ts";

const TRUTH = join(EXPORTS_FOLDER, "truth");
const TRUTHS = existsSync(TRUTH) ? readdirSync(TRUTH) : [];

interface Moments {
  readonly id: string;
  readonly mean: number;
  readonly std: number;
  readonly skew?: number;
  readonly kurtosis?: number;
}
interface Figures {
  readonly T: number;
  readonly N: number;
  readonly first_date: string;
  readonly last_date: string;
  readonly variants?: readonly Moments[];
  readonly pbo?: {
    readonly pbo_accept: readonly [number, number];
    readonly if_a_flat_half_ranks_last?: { readonly pbo: number };
  };
  readonly deflated_sharpe?: {
    readonly best: string;
    readonly psr_zero: number;
    readonly dsr_variance_of_trials?: number;
    readonly dsr_null_variance?: number;
  };
}
interface Truth extends Partial<Figures> {
  readonly file: string;
  readonly expect: "accept" | "warn" | "ask" | "refuse";
  readonly primary?: string;
  readonly series?: Readonly<Record<string, Figures>>;
  readonly if_capital_given?: Figures & { readonly capital: number };
  readonly trial_sharpes?: {
    readonly mean: number;
    readonly std_ddof1: number;
    readonly max: number;
  };
}

const truthOf = (name: string) => JSON.parse(readFileSync(join(TRUTH, name), "utf8")) as Truth;
const bytesOf = ({ file }: Truth) => readFileSync(join(EXPORTS_FOLDER, file));
const near = (found: number, expected: number) =>
  Math.abs(found - expected) <= 1e-9 * Math.max(1e-3, Math.abs(expected));

/** What the file gives, or the error it is answered with. */
async function outcome(truth: Truth, startingCapital?: number) {
  try {
    const read = await readExport(bytesOf(truth), { startingCapital });
    const panel = read.rows === undefined ? undefined : buildPanel(read.rows);
    return { read, panel, error: undefined };
  } catch (error) {
    return { read: undefined, panel: undefined, error };
  }
}

const expected = (...kinds: readonly Truth["expect"][]) =>
  TRUTHS.filter((name) => kinds.includes(truthOf(name).expect));

test.each(expected("refuse"))("%s is refused", async (name) => {
  const { error } = await outcome(truthOf(name));
  expect(error instanceof FileRefused || error instanceof PanelRefused).toBe(true);
});

test.each(expected("ask"))("%s is read once the capital is given", async (name) => {
  const truth = truthOf(name);
  expect((await outcome(truth)).error).toBeInstanceOf(MoreNeeded);
  const given = await outcome(truth, truth.if_capital_given?.capital ?? 10_000);
  if (truth.if_capital_given !== undefined) checkFigures(given.panel!, truth.if_capital_given);
});

test.each(expected("accept", "warn"))("%s is read", async (name) => {
  const truth = truthOf(name);
  const { read, panel, error } = await outcome(truth);
  expect(error).toBeUndefined();
  const warnings = [...read!.warnings, ...(panel?.warnings ?? [])];
  expect(warnings.length > 0).toBe(truth.expect === "warn");
  if (truth.trial_sharpes !== undefined) checkStatistics(read!, truth.trial_sharpes, truth.N!);
  else checkFigures(panel!, truth.series?.[truth.primary ?? ""] ?? (truth as Figures));
});

test("a made table is read where the exports aren't at hand", async () => {
  const read = await readExport(utf8(csvOf("date,a", (row) => String(smallReturn(row)))));
  expect(buildPanel(read.rows!).columns[0]![7]).toBe(smallReturn(7));
});

function checkStatistics(
  read: ReadExport,
  of: NonNullable<Truth["trial_sharpes"]>,
  count: number,
): void {
  const values = Array.from(read.statistics!.values);
  expect(values).toHaveLength(count);
  expect(near(Math.max(...values), of.max)).toBe(true);
  expect(near(Math.sqrt(trialsSharpeVariance(values)), of.std_ddof1)).toBe(true);
}

function checkFigures(panel: Panel, truth: Figures): void {
  expect(panel.instants).toHaveLength(truth.T);
  expect(panel.columns.length + panel.droppedVariants + panel.duplicateVariants).toBe(truth.N);
  expect(instantText(panel.instants[0]!).slice(0, 10)).toBe(truth.first_date);
  expect(instantText(panel.instants.at(-1)!).slice(0, 10)).toBe(truth.last_date);
  expect(panel.periodsPerYear).toBe(365);
  for (const variant of truth.variants ?? []) checkMoments(panel, variant, truth.N === 1);
  if (truth.deflated_sharpe !== undefined) checkDeflation(panel, truth.deflated_sharpe);
  expect(truth.pbo === undefined || isWithin(cscv(panel.columns, 16).pbo, truth.pbo)).toBe(true);
}

/** A half in which a variant is flat ranks last here; the truth has that beside its own rule. */
function isWithin(pbo: number, truth: NonNullable<Figures["pbo"]>): boolean {
  const [low, high] = truth.pbo_accept;
  const flat = truth.if_a_flat_half_ranks_last?.pbo ?? low;
  return pbo >= Math.min(low, flat - (high - low)) && pbo <= Math.max(high, flat + (high - low));
}

function checkMoments(panel: Panel, truth: Moments, single: boolean): void {
  const name = single ? panel.names[0] : panel.keptNameOf.get(truth.id);
  if (name === undefined) return expect(truth.std).toBeLessThan(1e-12); // it was dropped as flat
  const found = inferSharpe(panel.columns[panel.names.indexOf(name)]!);
  const pairs = [
    [found.mean, truth.mean],
    [found.deviation, truth.std],
    [found.skew, truth.skew],
    [found.kurtosis, truth.kurtosis],
  ];
  for (const [ours, theirs] of pairs)
    expect(theirs === undefined || near(ours!, theirs)).toBe(true);
}

function checkDeflation(panel: Panel, truth: NonNullable<Figures["deflated_sharpe"]>): void {
  const single = panel.columns.length === 1;
  const place = single ? 0 : panel.names.indexOf(panel.keptNameOf.get(truth.best)!);
  const sharpes = panel.columns.map((column) => inferSharpe(column).sharpe);
  const trials = { count: sharpes.length, variance: trialsSharpeVariance(sharpes) };
  const claims = publishedClaims(inferSharpe(panel.columns[place]!), trials);
  expect(near(claims.psr, truth.psr_zero)).toBe(true);
  if (truth.dsr_variance_of_trials === undefined) return;
  expect(near(claims.dsr, truth.dsr_null_variance!)).toBe(true);
  expect(near(claims.dsrMeasured, truth.dsr_variance_of_trials)).toBe(true);
}
