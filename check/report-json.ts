import type { CheckReport } from "../quant/check/report.ts";

const DIGITS = 10;

/** The report as JSON, its numbers with 10 significant digits as everywhere. */
export function reportJson(report: CheckReport): string {
  return JSON.stringify(
    report,
    (_, value: unknown) => (typeof value === "number" ? Number(value.toPrecision(DIGITS)) : value),
    2,
  );
}
