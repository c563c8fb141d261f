import type { VNode } from "preact";
import type { CheckErrorRates, CheckVerdict } from "../../api/check-verdict.ts";
import { share } from "../format.ts";
import { factTable } from "./fact-table.tsx";
import { asSentence } from "./words.ts";

/** How often the verdict is wrong, or why that isn't known. */
export function errorRatesSection(verdict: CheckVerdict): VNode {
  const rates = verdict.error_rates;
  return (
    <section>
      <h2>How often this verdict is wrong</h2>
      {rates === null ? <p>{asSentence(verdict.error_rates_reason)}</p> : ratesTable(rates)}
      {verdict.cautions.length > 0 && (
        <>
          <h3>What no record shows</h3>
          <ul>
            {verdict.cautions.map((caution) => (
              <li key={caution}>{caution}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function ratesTable({ bars, variants, panels, ...rates }: CheckErrorRates): VNode {
  return factTable(
    `Measured on ${bars} bars of ${variants} variants, the nearest size, ${panels} panels or more of each shape`,
    [
      ["calls luck skill, at worst on the shapes tried", share(rates.false_skill, 1)],
      ["finds a true Sharpe ratio of 1", share(rates.power_1, 1)],
      ["finds a true Sharpe ratio of 2", share(rates.power_2, 1)],
      ["calls a true Sharpe ratio of 1 luck", share(rates.false_luck_1, 1)],
      ["calls a true Sharpe ratio of 2 luck", share(rates.false_luck_2, 1)],
    ],
  );
}
