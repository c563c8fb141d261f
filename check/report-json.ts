import type { CheckReport } from "../quant/check/report.ts";

const DIGITS = 10;

/**
 * The report as JSON, its numbers with 10 significant digits as everywhere; `indent` 0 puts it on one line. One that
 * rests on made-up prices begins with `synthetic`.
 */
export function reportJson(report: CheckReport, isSynthetic: boolean, indent = 2): string {
  return JSON.stringify(
    isSynthetic ? { synthetic: true, ...report } : report,
    (_, value: unknown) => (typeof value === "number" ? Number(value.toPrecision(DIGITS)) : value),
    indent,
  );
}
