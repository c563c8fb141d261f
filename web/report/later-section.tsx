import type { VNode } from "preact";
import type { CheckReport } from "../../api/check-report.ts";
import { decimal, share, signedPercent, significant } from "../format.ts";
import { Table } from "../table.tsx";
import { factTable } from "./fact-table.tsx";

type Timing = NonNullable<CheckReport["timing"]>;

/** Whether prices were known too early: what is left where every position is taken later, and the prices of the trades. */
export function laterSection(timing: CheckReport["timing"]): VNode | null {
  if (timing === null) return null;
  const { later, fills, levels } = timing;
  return (
    <>
      {later?.one && later.two && positionsLater(later)}
      {fills && fillsTable(fills)}
      {levels &&
        factTable("Days that reached both stop and profit", [
          ["what they show", statusWords(levels.status)],
          ["their number", decimal(levels.tested, 0)],
          ["with the profit first", decimal(levels.profit_first, 0)],
          ["p of as many, where half would be", significant(levels.p_value)],
          ["usual profit of a trade", signedPercent(levels.take_pct)],
          ["usual stop", signedPercent(levels.stop_pct && -levels.stop_pct)],
        ])}
    </>
  );
}

const statusWords = (status: Timing["status"]) => status.replace("_", " ");

function positionsLater(later: NonNullable<Timing["later"]>): VNode {
  const rows = [
    ["as sent", later.sent],
    ["one bar later", later.one],
    ["two bars later", later.two],
  ] as const;
  const { variants_tested: tested, variants_found: found } = later;
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
          { name: "Sharpe ratio, a year", cell: ([, figures]) => decimal(figures?.sharpe, 2) },
          { name: "made", cell: ([, figures]) => signedPercent(figures?.return_pct) },
          { name: "worst fall", cell: ([, figures]) => signedPercent(figures?.max_drawdown_pct) },
        ]}
        rows={rows}
      />
      {factTable("What that was measured on", [
        ["what it shows", statusWords(later.status)],
        ["changes of position, one bar later", decimal(later.changes_1, 0)],
        ["changes of position, two bars later", decimal(later.changes_2, 0)],
        ["large moves that tell a position", share(later.told)],
        ["usual size of a position", significant(later.size)],
        ["interest of a bar", significant(later.cash)],
        ...(tested === null
          ? []
          : [["variants tested, found", `${tested}, ${found ?? 0}`] as const]),
      ])}
    </section>
  );
}

function fillsTable(fills: NonNullable<Timing["fills"]>): VNode {
  return (
    <Table
      label="Prices of the trades within their days"
      columns={[
        { name: "side", isText: true, cell: (side) => side },
        { name: "tested", cell: (side) => decimal(fills[side].tested, 0) },
        { name: "at the edge", cell: (side) => decimal(fills[side].near, 0) },
        { name: "outside", cell: (side) => decimal(fills[side].other, 0) },
        { name: "p-value", cell: (side) => significant(fills[side].p_value) },
        { name: "what it shows", isText: true, cell: (side) => statusWords(fills[side].status) },
      ]}
      rows={["entry", "exit"] as const}
    />
  );
}
