import type { CheckReport } from "../../api/check-report.ts";
import { decimal } from "../format.ts";
import { spanWords, triesWords } from "./words.ts";

/** A verdict as it is copied: the sentence, what it is of, and where a file is checked. Beside live days it is theirs. */
export function verdictText(report: CheckReport, link: string): string {
  const { live, verdict } = report;
  return [(live ?? { verdict }).verdict.sentence, verdictFigures(report), link].join("\n");
}

/** The Sharpe ratio, the period and the tries. */
export function verdictFigures({ live, input, series, trials }: CheckReport): string {
  const sharpe = live === null ? (series?.sharpe ?? null) : live.sharpe;
  const period =
    live === null
      ? `${spanWords(input)}, ${input.first ?? ""} to ${input.last ?? ""}`
      : `${decimal(live.days, 0)} live days since ${live.first}`;
  return [
    ...(sharpe === null ? [] : [`Sharpe ratio ${decimal(sharpe, 2)} a year`]),
    ...(input.first === null ? [] : [period]),
    triesWords(live === null ? trials.n : live.claim.n_trials.value),
  ].join(" · ");
}
