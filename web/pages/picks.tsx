import type { VNode } from "preact";
import { Figure } from "../charts/chart.tsx";
import { scatterChart } from "../charts/scatter-chart.tsx";
import type { DatasetPick } from "../dataset-data.ts";
import { decimal, share, signedPercent } from "../format.ts";
import { Table, type Column } from "../table.tsx";

export interface PicksProps {
  readonly picks: readonly DatasetPick[];
  /** What a point is named after: the other of rule and coin is the page's. */
  readonly by: "template" | "coin" | "both";
  readonly isSynthetic: boolean;
}

/** Each pick before and after the choice, with its table. */
export function PicksFigure({ picks, by, isSynthetic }: PicksProps): VNode | null {
  const points = picks.flatMap((pick) => {
    const [x, y] = [pick.in_sample.sharpe, pick.out_of_sample.sharpe];
    return x === null || y === null
      ? []
      : [{ x, y, name: nameOf(pick, by), href: hrefOf(pick, by) }];
  });
  if (points.length === 0) return null;
  const worse = points.filter(({ x, y }) => y < x).length / points.length;
  const drawing = scatterChart(points, {
    title: `${share(worse)} of the picks did worse afterwards than while they were chosen`,
    subtitle: "Annual Sharpe ratio of each pick; below the dashed line it fell",
    xName: "while choosing",
    yName: "afterwards",
    isSynthetic,
  });
  return (
    <Figure
      drawing={drawing}
      table={<PicksTable picks={picks} by={by} isSynthetic={isSynthetic} />}
    />
  );
}

export function PicksTable({ picks, by }: PicksProps): VNode {
  const name: Column<DatasetPick> = {
    name: by === "template" ? "rule" : by === "coin" ? "coin" : "rule on coin",
    isText: true,
    cell: (pick) => <a href={hrefOf(pick, by)}>{nameOf(pick, by)}</a>,
  };
  const columns: readonly Column<DatasetPick>[] = [
    name,
    { name: "setting", cell: ({ variant }) => String(variant) },
    { name: "Sharpe while choosing", cell: ({ in_sample: part }) => decimal(part.sharpe, 2) },
    { name: "afterwards", cell: ({ out_of_sample: part }) => decimal(part.sharpe, 2) },
    { name: "holding", cell: ({ buy_hold: hold }) => decimal(hold.out_of_sample_sharpe, 2) },
    {
      name: "return afterwards",
      cell: ({ out_of_sample: part }) => signedPercent(part.return_pct),
    },
    { name: "worst fall", cell: ({ out_of_sample: part }) => signedPercent(part.max_drawdown_pct) },
  ];
  return <Table label="Picks before and after the choice" columns={columns} rows={picks} />;
}

function nameOf({ template, coin }: DatasetPick, by: PicksProps["by"]): string {
  if (by === "template") return template;
  return by === "coin" ? coin.toUpperCase() : `${template} on ${coin.toUpperCase()}`;
}

function hrefOf({ template, coin }: DatasetPick, by: PicksProps["by"]): string {
  return by === "coin" ? `/coins/${coin}` : `/strategies/${template}`;
}
