import type { VNode } from "preact";
import { LuckCalculator } from "../browser/luck-calculator.tsx";
import { Page, type PageSource } from "../layout.tsx";

/** `/check`: the luck calculator, and the command that checks a file. */
export function CheckPage({ about }: { readonly about: PageSource }): VNode {
  return (
    <Page
      title="Check a backtest"
      description="How much of a backtest's Sharpe ratio would luck show, by how many settings were tried?"
      path="/check"
      about={about}
      scripts={["luck"]}
    >
      <h1>Would luck do this, too?</h1>
      <p class="lead">
        Count every setting you ever looked at, also those you threw away. The address of this page
        keeps your numbers, so you can send it.
      </p>
      <section aria-label="Luck calculator">
        <div id="luck">
          <LuckCalculator />
        </div>
      </section>
      <section class="two">
        <div>
          <h2>Check the file your tool wrote</h2>
          <p>
            The command reads exports of freqtrade, vectorbt, backtesting.py, TradingView,
            MetaTrader 5, QuantConnect, nautilus, jesse, zipline, and plain CSV. It measures what
            the calculator takes on trust, and the file stays on your machine.
          </p>
          <p>
            <a href="/docs/check">What to export, and how to read the answer</a>
          </p>
        </div>
        <pre tabIndex={0}>
          <code>
            {
              "hindsight check results.fthypt --coin btc\nhindsight check equity.csv --n-trials 500 --html report.html"
            }
          </code>
        </pre>
      </section>
    </Page>
  );
}
