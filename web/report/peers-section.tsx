import type { VNode } from "preact";
import type { CheckPeers } from "../../api/check-report.ts";
import { Figure } from "../charts/chart.tsx";
import { peersChart, type LuckRange, type PeerLevel } from "../charts/peers-chart.tsx";
import { decimal, share, signedPercent } from "../format.ts";
import { Table } from "../table.tsx";
import { FactTable } from "./fact-table.tsx";
import { asSentence, type ReportPart } from "./words.ts";

/** The backtest among our own runs on the same coin and days, and what became of runs like it. */
export function PeersSection({ report, isSynthetic }: ReportPart): VNode | null {
  const { peers, peers_reason: reason, series } = report;
  if (series === null) return null;
  if (peers === null) {
    return (
      <section>
        <h2>Others on the same days</h2>
        <p>{asSentence(reason)}</p>
      </section>
    );
  }
  return (
    <section class="two">
      <div>
        <h2>What became of backtests like this one</h2>
        <p>{rankSentence(peers)}</p>
        <p>{laterSentence(peers)}</p>
        <FactTable
          label={`Holding ${peers.coin} over the same days`}
          facts={[
            ["Sharpe ratio of holding the coin", decimal(peers.same_days.hold.sharpe, 2)],
            ["its return", signedPercent(peers.same_days.hold.return_pct)],
            ["its deepest drawdown", signedPercent(peers.same_days.hold.max_drawdown_pct)],
          ]}
        />
      </div>
      <PeersFigure peers={peers} sharpe={series.sharpe} isSynthetic={isSynthetic} />
    </section>
  );
}

function rankSentence({ coin, same_days: { runs, rank, hold } }: CheckPeers): string {
  return (
    `On ${coin}, over the same days, it ranks ${decimal(rank, 0)} of ${decimal(runs + 1, 0)} among our known rules. ` +
    `Holding the coin had a Sharpe ratio of ${decimal(hold.sharpe, 2)}.`
  );
}

function laterSentence({ afterwards, afterwards_note: note }: CheckPeers): string {
  if (afterwards === null) return `What came next isn’t shown: ${note}.`;
  const { runs, median, low, high, share_below_zero: below } = afterwards;
  return (
    `Our ${decimal(runs, 0)} runs with a Sharpe ratio nearest to this one had ${decimal(median, 2)} afterwards ` +
    `(${decimal(low, 2)} to ${decimal(high, 2)} for nine in ten); ${share(below)} were below 0. ${asSentence(note)}`
  );
}

function PeersFigure({
  peers,
  sharpe,
  isSynthetic,
}: {
  readonly peers: CheckPeers;
  readonly sharpe: number | null;
  readonly isSynthetic: boolean;
}): VNode {
  const { luck_bar: bar, hold } = peers.same_days;
  const ranges: LuckRange[] = [
    { name: "1 run", ...bar.n_1 },
    { name: "best of 13", ...bar.n_13 },
    { name: "best of 286", ...bar.n_286 },
  ];
  const own: PeerLevel[] =
    sharpe === null ? [] : [{ name: "this backtest", sharpe, tone: "accent" }];
  const held: PeerLevel[] =
    hold.sharpe === null
      ? []
      : [{ name: `holding ${peers.coin}`, sharpe: hold.sharpe, tone: "context" }];
  const drawing = peersChart(ranges, [...own, ...held], {
    title: `Luck alone gives the best of 286 rules about ${decimal(bar.n_286.median, 2)} on ${peers.coin}`,
    subtitle: "Yearly Sharpe ratio of our rules on the same days in shuffled order: median to 95 %",
    isSynthetic,
  });
  return (
    <Figure
      drawing={drawing}
      table={
        <Table
          label="What luck reaches with our rules on shuffled days"
          columns={[
            { name: "", isText: true, cell: ({ name }) => name },
            { name: "median", cell: ({ median }) => decimal(median, 2) },
            { name: "95 %", cell: ({ p95 }) => decimal(p95, 2) },
          ]}
          rows={ranges}
        />
      }
    />
  );
}
