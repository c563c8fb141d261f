import type { Reading } from "../../api/reading.ts";
import type { VNode } from "preact";
import { figureAt } from "../charts/chart.tsx";
import { SparkLine } from "../charts/spark-line.tsx";
import { dateWords, dollars, ratingWords, signedPercent } from "../format.ts";
import { Page } from "../layout.tsx";
import type { SiteData } from "../site-data.ts";
import { Table, type Column } from "../table.tsx";
import { worthChart, worthSentence, worthTitle } from "./worth.tsx";

const scoreOf = ({ summary }: Reading) => summary?.score ?? -2;

/** `/coins`: the board by technical rating. */
export function coinsPage(site: SiteData): VNode {
  const { about } = site;
  const [board, worth] = [site.board(), site.worth()];
  const [ended, traded] = [true, false].map((isEnded) =>
    board.filter(({ stale }) => stale === isEnded).toSorted((a, b) => scoreOf(b) - scoreOf(a)),
  ) as [Reading[], Reading[]];
  const buys = traded.filter(({ summary }) => summary?.rating?.endsWith("buy") === true).length;
  return (
    <Page
      title="Coins"
      description="The board of coins by technical rating, with signals, buying and holding, and backtests of each."
      path="/coins"
      card="/coins/worth.png"
      about={about}
      scripts={["values", "sort-table"]}
    >
      <h1>{worthTitle(worth)}</h1>
      <p class="lead">{worthSentence(worth)}</p>
      <section aria-label="The board">
        <h2>
          At the close of {dateWords(about.asOf!)}, {buys} of {traded.length} coins were rated a buy
        </h2>
        <p>The rating is the mean of 26 common technical signals at the last close.</p>
        <Table
          label="Coins by rating"
          sorts="coins"
          columns={columnsOf(site, board)}
          rows={traded}
        />
        {ended.length > 0 && (
          <details>
            <summary>Coins whose prices have ended: {ended.length}</summary>
            <p>The rating is that of each one’s own last close, and is not counted above.</p>
            <Table
              label="Coins whose prices have ended"
              columns={[
                ...columnsOf(site, ended),
                { name: "last close", isText: true, cell: ({ date }) => date },
              ]}
              rows={ended}
            />
          </details>
        )}
      </section>
      <section aria-label="What came after each rating">
        {figureAt("/coins/worth", worthChart(worth), about)}
      </section>
    </Page>
  );
}

/** The columns of the board. Those of prices are left out where the operator withholds prices. */
function columnsOf(site: SiteData, board: readonly Reading[]): readonly Column<Reading>[] {
  const prices: readonly Column<Reading>[] = [
    {
      name: "90 days",
      isExtra: true,
      cell: ({ coin }) => <SparkLine values={site.trend(coin)} className="spark" />,
    },
    { name: "close", isExtra: true, cell: ({ close_usd: close }) => dollars(close) },
  ];
  return [
    { name: "coin", isText: true, cell: nameCell },
    { name: "rating", isText: true, cell: ratingCell, order: scoreOf },
    ...(board.some(({ coin }) => site.trend(coin).length > 0) ? prices : []),
    { name: "1 day", isExtra: true, cell: ({ change_1d_pct: change }) => signedPercent(change) },
    { name: "7 days", cell: ({ change_7d_pct: change }) => signedPercent(change) },
    { name: "30 days", cell: ({ change_30d_pct: change }) => signedPercent(change) },
    {
      name: "below its high",
      isExtra: true,
      cell: ({ indicators }) => signedPercent(indicators.drawdown_from_high_pct?.value),
    },
  ];
}

function nameCell({ coin, name }: Reading): VNode {
  return (
    <>
      <a href={`/coins/${coin}`}>{coin.toUpperCase()}</a> <span class="name">{name}</span>
    </>
  );
}

function ratingCell({ summary }: Reading): VNode {
  const rating = summary?.rating;
  const tone = rating?.endsWith("buy") ? "good" : rating?.endsWith("sell") ? "bad" : undefined;
  return <span class={tone}>{ratingWords(rating)}</span>;
}
