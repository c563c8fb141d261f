import type { VNode } from "preact";
import type { CheckReport } from "../../api/check-report.ts";
import { decimal, signedPercent } from "../format.ts";
import { Table } from "../table.tsx";

/** What is left where every position is taken later, beside what honest strategies keep. */
export function laterSection(timing: CheckReport["timing"]): VNode | null {
  const later = timing?.later;
  if (!later?.one || !later.two) return null;
  const rows = [
    ["as sent", later.sent],
    ["one bar later", later.one],
    ["two bars later", later.two],
  ] as const;
  return (
    <section>
      <h2>What is left if it acts later</h2>
      <p>
        Of honest strategies that look good, three in ten lose more than half of their Sharpe ratio
        one bar later, of the best of 200 nearly half: only a score of{" "}
        {decimal(later.score_needed, 2)} shows that prices were known. One bar scores{" "}
        {decimal(later.score_1, 2)}, the second {decimal(later.score_2, 2)}. Later returns are
        without fees, which flatters them.
      </p>
      <Table
        label="Returns as sent, and with each position later"
        columns={[
          { name: "", isText: true, cell: ([name]) => name },
          { name: "Sharpe ratio, a year", cell: ([, of]) => decimal(of.sharpe, 2) },
          { name: "made", cell: ([, of]) => signedPercent(of.return_pct) },
          { name: "worst fall", cell: ([, of]) => signedPercent(of.max_drawdown_pct) },
        ]}
        rows={rows}
      />
    </section>
  );
}
