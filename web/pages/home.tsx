import type { VNode } from "preact";
import { LuckCalculator } from "../browser/luck-calculator.tsx";
import { figureAt } from "../charts/chart.tsx";
import { decimal } from "../format.ts";
import { door, hasAccountPage, Page } from "../layout.tsx";
import type { SiteData } from "../site-data.ts";
import { findingChart, varianceSentence, yearsSentence } from "./finding.tsx";
import { indexNow } from "./index-figure.tsx";

const PURPOSE = "How crypto strategies really did, and how much of a good backtest is luck.";

/** `/`: what this is, the main finding as a picture, the index now, and the ways in. */
export function homePage(site: SiteData): VNode {
  const { about } = site;
  const dataset = site.dataset();
  return (
    <Page
      title="Hindsight: how much of a good backtest is luck?"
      description={PURPOSE}
      path="/"
      about={about}
      scripts={["values", "luck"]}
    >
      <div class="hero-words">
        <h1>How much of a good backtest is luck?</h1>
        <p class="lead">
          {dataset.picks_total > 0
            ? `${varianceSentence(dataset)}: we ran ${decimal(dataset.dataset.runs_total, 0)} crypto backtests, kept the best, and watched what became of them.`
            : "Check yours."}
        </p>
        <a class="button door" href="/check">
          Check my backtest
        </a>
      </div>
      <section aria-label="Luck calculator">
        <h2>Move the sliders to your backtest</h2>
        <p>Try enough settings and one will look brilliant. This is how brilliant.</p>
        <div id="luck">
          <LuckCalculator />
        </div>
      </section>
      <section aria-label="What we found">
        <div class="two even">
          <div>
            {figureAt("/dataset/finding", findingChart(dataset), about)}
            <p>
              {yearsSentence(dataset)} <a href="/dataset">How we know</a>
            </p>
          </div>
          <div>{figureAt("/index", indexNow(site.index()), about)}</div>
        </div>
        {doors(hasAccountPage(about))}
      </section>
    </Page>
  );
}

function doors(hasAccounts: boolean): VNode {
  return (
    <div class="doors">
      {door(
        "/check",
        "Check my backtest",
        "Drop the file your tool wrote: it stays in your browser",
      )}
      {door("/coins", "Coins", "Signals, holding, and what 22 rules did on them")}
      <div class="card">
        <a href="/docs">
          <b>The API</b>
        </a>
        <span>
          Everything here as JSON, CSV and Parquet
          {hasAccounts && (
            <>
              : <a href="/account">get a key</a>, free to try
            </>
          )}
        </span>
      </div>
    </div>
  );
}
