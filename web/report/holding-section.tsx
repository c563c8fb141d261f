import type { VNode } from "preact";
import type { JudgedSeries } from "../../check/check-file.ts";
import type { CheckHolding, CheckReport } from "../../api/check-report.ts";
import { decimal, share, signedPercent } from "../format.ts";
import { Table } from "../table.tsx";
import { equityFigure } from "./equity-section.tsx";
import { marketName } from "./words.ts";

/** What the backtest made beside holding, where the market is known, and the account's curve. */
export function holdingSection(
  { holding, input }: Pick<CheckReport, "holding" | "input">,
  series: JudgedSeries,
  isSynthetic: boolean,
): VNode {
  const account = equityFigure(series, input, isSynthetic);
  if (holding === null) return <section aria-label="The account">{account}</section>;
  return (
    <section aria-label="The account" class="two answer">
      <div>
        <h2>{holdingTitle(holding)}</h2>
        {holdingTable(holding)}
        <p class="hint">
          The verdict asks for more than this: an edge that a steady share of{" "}
          {holding.name.toUpperCase()} would not have had.
        </p>
      </div>
      {account}
    </section>
  );
}

/** A sentence on which of the two made more, and which fell less. */
export function holdingTitle({ name, own, held }: CheckHolding): string {
  const market = name.toUpperCase();
  const [mine, theirs] = [own.return_pct ?? NaN, held.return_pct ?? NaN];
  const fellLess = (own.max_drawdown_pct ?? NaN) > (held.max_drawdown_pct ?? NaN);
  if (mine > theirs) {
    const fall = fellLess ? " and fell less" : " but fell more";
    return `It made more than holding ${market}${fall}: ${wholePercent(mine)} against ${wholePercent(theirs)}`;
  }
  const fall = fellLess ? "; this fell less" : "";
  return `Holding ${market} made more: ${wholePercent(theirs)} against ${wholePercent(mine)}${fall}`;
}

/** A whole percentage, or one with a decimal where it is below 10. */
function wholePercent(value: number): string {
  return signedPercent(value, Math.abs(value) < 10 ? 1 : 0);
}

function holdingTable({ name, own, held }: CheckHolding): VNode {
  const rows = [
    ["Made", signedPercent(own.return_pct, 0), signedPercent(held.return_pct, 0)],
    ["Worst fall", signedPercent(own.max_drawdown_pct, 0), signedPercent(held.max_drawdown_pct, 0)],
    ["Return for its risk (Sharpe ratio, a year)", decimal(own.sharpe, 2), decimal(held.sharpe, 2)],
    ["Days in the market", share(own.active_share), "all"],
  ] as const;
  return (
    <Table
      label={`This backtest and holding ${name}`}
      columns={[
        { name: "", isText: true, cell: ([words]) => words },
        { name: "yours", cell: ([, mine]) => <b class="mine">{mine}</b> },
        { name: `holding ${marketName(name)}`, cell: ([, , theirs]) => theirs },
      ]}
      rows={rows}
    />
  );
}
