import type { VNode } from "preact";
import { FileCheck } from "../browser/file-check.tsx";
import { Page } from "../layout.tsx";
import type { SiteData } from "../site-data.ts";

/** `/check`: a file is checked in the reader's browser. */
export function checkPage({ about, priced: coins }: SiteData): VNode {
  const { version, isSynthetic } = about;
  const place = { worker: about.script("check-worker"), coins, isSynthetic, version };
  return (
    <Page
      title="Check a backtest"
      description="How much of a backtest would luck have done, too? From the file that your tool wrote, in your browser."
      path="/check"
      about={about}
      scripts={["check"]}
    >
      <h1>Would luck do this, too?</h1>
      <p class="lead">
        Your backtest is checked here, in your browser: the file never leaves it. Send everything
        your optimiser tried, not only the winner.
      </p>
      <noscript>
        <p class="card">
          Without JavaScript this page can’t read a file. The command can:{" "}
          <code>hindsight check FILE</code>.
        </p>
      </noscript>
      <section id="check" aria-label="Check a file" data-place={JSON.stringify(place)}>
        <FileCheck {...place} />
      </section>
      <section class="two">
        <div>
          <h2>What leaves your browser</h2>
          <p>
            {coins.length === 0
              ? "Nothing at all. Daily prices are not shown here, so a test against holding a coin needs the command or the API."
              : "Nothing of the file. Where you name a coin, and for a list of trades, this server is sent the coin’s name and answers with its daily prices; that is all it learns."}
          </p>
          <p>
            <a href="/docs/check">What to export, and how to read the answer</a>
          </p>
          <p>
            <a href="/#luck">No file at hand? Three numbers will do</a>
          </p>
        </div>
        <div>
          <p>The same on your machine, for larger files, too:</p>
          <pre tabIndex={0}>
            <code>
              {
                "hindsight check results.fthypt --coin btc\nhindsight check equity.csv --n-trials 500 --html report.html"
              }
            </code>
          </pre>
        </div>
      </section>
    </Page>
  );
}
