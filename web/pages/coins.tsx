import type { Reading } from "../../api/reading.ts";
import type { RatingWorth } from "../../api/rating-worth.ts";
import type { VNode } from "preact";
import { SparkLine } from "../charts/spark-line.tsx";
import { dollars, ratingWords, signedPercent } from "../format.ts";
import { Page, type PageSource } from "../layout.tsx";
import { Table } from "../table.tsx";
import { worthSentence, WorthSection, worthTitle } from "./worth.tsx";

/** `/coins`: the board by technical rating. */
export function CoinsPage({
  board,
  worth,
  trendOf,
  about,
}: {
  readonly worth: RatingWorth;
  readonly board: readonly Reading[];
  /** The last closes of a coin; empty where the operator withholds prices. */
  readonly trendOf: (ticker: string) => ArrayLike<number>;
  readonly about: PageSource;
}): VNode {
  const score = ({ summary }: Reading) => summary?.score ?? -2;
  const sorted = board.toSorted((a, b) => score(b) - score(a));
  const buys = board.filter(({ summary }) => summary?.rating?.endsWith("buy") === true).length;
  const hasTrends = board.some(({ coin }) => trendOf(coin).length > 0);
  return (
    <Page
      title="Coins"
      description="The board of coins by technical rating, with signals, buying and holding, and backtests of each."
      path="/coins"
      about={about}
      scripts={["values", "sort-table"]}
    >
      <h1>{worthTitle(worth)}</h1>
      <p class="lead">{worthSentence(worth)}</p>
      <section aria-label="The board">
        <h2>
          Today {buys} of {board.length} coins are rated a buy
        </h2>
        <p>The rating is the mean of 26 common technical signals at the last close.</p>
        <Table
          label="Coins by rating"
          sorts="coins"
          columns={[
            {
              name: "coin",
              isText: true,
              cell: ({ coin, name, stale }) => (
                <>
                  <a href={`/coins/${coin}`}>{coin.toUpperCase()}</a>{" "}
                  <span class="name">
                    {name}
                    {stale && " (stale)"}
                  </span>
                </>
              ),
            },
            {
              name: "rating",
              isText: true,
              cell: ({ summary }) => <Rating summary={summary} />,
              order: score,
            },
            ...(hasTrends
              ? [
                  {
                    name: "90 days",
                    isExtra: true,
                    cell: ({ coin }: Reading) => (
                      <SparkLine values={trendOf(coin)} className="spark" />
                    ),
                  },
                  { name: "close", cell: ({ close_usd: close }: Reading) => dollars(close) },
                ]
              : []),
            { name: "1 day", cell: ({ change_1d_pct: change }) => signedPercent(change) },
            { name: "7 days", cell: ({ change_7d_pct: change }) => signedPercent(change) },
            { name: "30 days", cell: ({ change_30d_pct: change }) => signedPercent(change) },
            {
              name: "below its high",
              cell: ({ indicators }) => signedPercent(indicators.drawdown_from_high_pct?.value),
            },
          ]}
          rows={sorted}
        />
      </section>
      <WorthSection data={worth} about={about} />
    </Page>
  );
}

function Rating({ summary }: Pick<Reading, "summary">): VNode {
  const rating = summary?.rating;
  const tone = rating?.endsWith("buy") ? "good" : rating?.endsWith("sell") ? "bad" : undefined;
  return <span class={tone}>{ratingWords(rating)}</span>;
}
