import type { CheckReport } from "./check-report.ts";

/**
 * A report as a file or a page has it; `indent` 0 puts it on one line. One that rests on made-up prices begins with
 * `synthetic`.
 */
export function reportJson(report: CheckReport, isSynthetic: boolean, indent = 2): string {
  return JSON.stringify(isSynthetic ? { synthetic: true, ...report } : report, undefined, indent);
}
