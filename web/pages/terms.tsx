import type { VNode } from "preact";

const TERMS = {
  sharpe: [
    "Sharpe ratio",
    "The mean return over its swings, for a year: 1 is a gain as large as a usual year’s swing.",
  ],
  pbo: [
    "PBO",
    "The probability of backtest overfitting: how often the best setting of one half of the days is below the median in the other half. 50 % is what choosing blindly gives.",
  ],
  rank: [
    "rank correlation",
    "How far two rankings agree: 1 where they are the same, 0 where they have nothing to do with each other, −1 where one is the other upside down.",
  ],
  supertrend: [
    "SuperTrend",
    "A stop that follows the price at three average daily ranges. Below the price the trend counts as up, above as down.",
  ],
  bollinger: [
    "Bollinger bands",
    "The mean close of 20 days, and two standard deviations above and below it.",
  ],
} as const;

/** Words of a page that a tap explains. */
export function terms(...names: readonly (keyof typeof TERMS)[]): VNode {
  return (
    <div class="terms">
      {names.map((name) => (
        <details key={name}>
          <summary>{TERMS[name][0]}</summary>
          <p>{TERMS[name][1]}</p>
        </details>
      ))}
    </div>
  );
}
