import type { VNode } from "preact";
import { LuckCalculator, luckSentence, OPENING, assessed } from "../browser/luck-calculator.tsx";
import type { CardWords } from "../card.tsx";
import { luckChart } from "../charts/luck-chart.tsx";
import { Page, type PageSource } from "../layout.tsx";
import { luckPath, type LuckPoint } from "../luck-point.ts";

/** `/luck/<sharpe>_<years>_<tries>`: an answer of the calculator, to be sent. */
export function luckPage(about: PageSource, point: LuckPoint): VNode {
  const path = luckPath(point);
  return (
    <Page
      title={OPENING[assessed(point).verdict]}
      description={luckSentence(point)}
      path={path}
      about={about}
      card={`${path}.png`}
      scripts={["values", "luck"]}
    >
      <h1>How much of this is luck?</h1>
      <p class="lead">The best of many tries looks good without any skill. This is how good.</p>
      <section aria-label="Luck calculator">
        <div id="luck" data-first={JSON.stringify(point)}>
          <LuckCalculator first={point} />
        </div>
      </section>
      <section>
        <p>
          <a class="button" href="/check">
            Check my backtest
          </a>
        </p>
      </section>
    </Page>
  );
}

export function luckCard(point: LuckPoint): Pick<CardWords, "title" | "words" | "drawing"> {
  const title = OPENING[assessed(point).verdict];
  return { title, words: luckSentence(point), drawing: luckChart(point) };
}
