import type { CheckFalls } from "../../api/check-report.ts";

const deep = (pct: number | null) => `${Math.round(-(pct ?? 0))} %`;

/** How deep a strategy as good as this one may fall. Says nothing about stakes. */
export function fallsWords({ year, three_years: three }: CheckFalls): string {
  return (
    `Be ready for a fall of ${deep(year.median_pct)} within a year; 1 in 20 such strategies falls ${deep(year.deep_pct)}. ` +
    `Within three years ${deep(three.median_pct)}, and 1 in 20 ${deep(three.deep_pct)}.`
  );
}
