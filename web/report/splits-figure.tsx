import { sum } from "d3-array";
import type { VNode } from "preact";
import type { CheckReport } from "../../api/check-report.ts";
import { Figure } from "../charts/chart.tsx";
import { splitChart } from "../charts/split-chart.tsx";
import { decimal, share } from "../format.ts";
import { Table } from "../table.tsx";
import { asSentence } from "./words.ts";

/** Where the winner of one half of the days ranks in the other half, over all ways to halve them. */
export function splitsFigure(report: CheckReport, isSynthetic: boolean): VNode {
  const { cscv, cscv_reason: reason } = report;
  if (cscv === null) {
    return (
      <div>
        <h2>Does the choice hold?</h2>
        <p>{asSentence(reason)}</p>
        {report.input.variants === 1 && (
          <p>
            Send everything that your optimiser tried, not only the winner: then the number of tries
            is measured, and it can be seen whether the choice holds.
          </p>
        )}
      </div>
    );
  }
  const { edges, counts } = cscv.logits;
  const splits = sum(counts);
  const drawing = splitChart(cscv.logits, {
    title: `In ${share(cscv.pbo)} of the splits, the winner of one half ends in the lower half of the other; picking blindly: 50\u202f%`,
    subtitle: `Rank of the winner, ${decimal(splits, 0)} ways to split ${decimal(cscv.rows_used, 0)} bars into halves`,
    below: cscv.pbo,
    isSynthetic,
  });
  const table = (
    <Table
      label="Splits by the logit of the winner's rank"
      columns={[
        { name: "logit of the rank, from", cell: (bin) => decimal(edges[bin], 2) },
        { name: "to", cell: (bin) => decimal(edges[bin + 1], 2) },
        { name: "splits", cell: (bin) => decimal(counts[bin], 0) },
      ]}
      rows={[...counts.keys()]}
    />
  );
  const source = "CSCV: Bailey, Borwein, López de Prado and Zhu 2017";
  return <Figure drawing={drawing} source={source} table={table} />;
}
