import type { CheckReport } from "./check-report.ts";

/**
 * A report as JSON text; `indent` 0 puts it on one line. A report that rests on made-up prices begins with the member
 * `synthetic`.
 */
export function reportJson(report: CheckReport, isSynthetic: boolean, indent = 2): string {
  return JSON.stringify(isSynthetic ? { synthetic: true, ...report } : report, undefined, indent);
}
