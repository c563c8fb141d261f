import type { CheckReport } from "../../api/check-report.ts";
import { decimal } from "../format.ts";
import { spanWords, triesWords } from "./words.ts";

/** A verdict as it is copied: the sentence, what it is of, and where a file is checked. Beside live days it is theirs. */
export function verdictText(report: CheckReport, link: string): string {
  const { live, verdict, input, series, trials } = report;
  const { sentence } = (live ?? { verdict }).verdict;
  const sharpe = live === null ? (series?.sharpe ?? null) : live.sharpe;
  const period =
    live === null
      ? `${spanWords(input)}, ${input.first ?? ""} to ${input.last ?? ""}`
      : `${decimal(live.days, 0)} live days since ${live.first}`;
  const figures = [
    ...(sharpe === null ? [] : [`Sharpe ratio ${decimal(sharpe, 2)} a year`]),
    ...(input.first === null ? [] : [period]),
    triesWords(live === null ? trials.n : live.claim.n_trials.value),
  ];
  return [sentence, figures.join(" · "), link].join("\n");
}
