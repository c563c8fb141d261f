import type { DatasetFigure } from "../../api/dataset.ts";
import type { DatasetPick } from "../../api/dataset-pick.ts";
import { hrefOfRun } from "../paths.ts";
import type { VNode } from "preact";
import type { ChartParts } from "../charts/chart.tsx";
import { rowChart } from "../charts/row-chart.tsx";
import { scatterChart } from "../charts/scatter-chart.tsx";
import { decimal, share, signedPercent, significant, templateWords } from "../format.ts";
import { Table, type Column } from "../table.tsx";

export interface PicksProps {
  readonly picks: readonly DatasetPick[];
  /** What a point is named after: the other of rule and coin is the page's. */
  readonly by: "template" | "coin" | "both";
}

/** Each pick before and after the choice; `worse` is the share of picks, and of all runs, that did worse afterwards. */
export function picksScatter(
  { picks, by }: PicksProps,
  worse: DatasetFigure | undefined,
): ChartParts | null {
  const points = picks.flatMap((pick) => {
    const [x, y] = [pick.in_sample.sharpe, pick.out_of_sample.sharpe];
    return x === null || y === null
      ? []
      : [{ x, y, name: nameOf(pick, by), href: hrefOfRun(pick) }];
  });
  if (points.length === 0) return null;
  const drawing = scatterChart(points, {
    title: worseTitle(worse),
    subtitle:
      "Annual Sharpe ratio of each pick; below the dashed line it fell, which the market does to all. A point leads to its run",
    xName: "while choosing",
    yName: "afterwards",
  });
  return { drawing, table: <PicksTable picks={picks} by={by} /> };
}

function worseTitle(worse: DatasetFigure | undefined): string {
  if (worse === undefined || worse.value === null) return "Each pick before and after the choice";
  return `${share(worse.value)} of the picks did worse afterwards than before, and ${share(worse.coin_flip)} of all runs`;
}

/** Each pick beside the mean of the settings that it was chosen among, afterwards: the best first. */
export function picksRows({ picks, by }: PicksProps): ChartParts | null {
  const known = picks.filter(
    ({ out_of_sample: part, variants }) =>
      part.sharpe !== null && variants.mean_out_of_sample_sharpe !== null,
  );
  if (known.length === 0) return null;
  const better = known.filter((pick) => leadOf(pick) > 0).length;
  const rows = known
    .toSorted((a, b) => b.out_of_sample.sharpe! - a.out_of_sample.sharpe!) // known ones have it
    .map((pick) => ({
      name: nameOf(pick, by),
      href: hrefOfRun(pick),
      before: pick.variants.mean_out_of_sample_sharpe,
      after: pick.out_of_sample.sharpe,
      isGood: leadOf(pick) > 0,
    }));
  const drawing = rowChart(rows, {
    title: `${better} of ${known.length} picks did better than the mean of their 13 settings`,
    subtitle:
      "Annual Sharpe ratio after the choice; teal where the pick was better, amber where it was worse. Half is what picking blindly gives",
    before: "mean of the 13",
    after: "pick",
    digits: 2,
  });
  return { drawing, table: <PicksTable picks={picks} by={by} /> };
}

/** How much better than the mean of its settings a pick did afterwards. */
function leadOf({ out_of_sample: part, variants }: DatasetPick): number {
  return (part.sharpe ?? NaN) - (variants.mean_out_of_sample_sharpe ?? NaN);
}

export function PicksTable({ picks, by }: PicksProps): VNode {
  const columns: readonly Column<DatasetPick>[] = [
    {
      name: by === "template" ? "rule" : by === "coin" ? "coin" : "rule on coin",
      isText: true,
      cell: (pick) => <a href={hrefOfRun(pick)}>{nameOf(pick, by)}</a>,
    },
    { name: "setting", cell: ({ variant }) => String(variant) },
    ...SHARPES,
  ];
  return <Table label="Picks before and after the choice" columns={columns} rows={picks} />;
}

const SHARPES: readonly Column<DatasetPick>[] = [
  { name: "Sharpe while choosing", cell: ({ in_sample: part }) => decimal(part.sharpe, 2) },
  { name: "afterwards", cell: ({ out_of_sample: part }) => decimal(part.sharpe, 2) },
  {
    name: "mean of the 13",
    cell: ({ variants }) => decimal(variants.mean_out_of_sample_sharpe, 2),
  },
  { name: "holding", cell: ({ buy_hold: hold }) => decimal(hold.out_of_sample_sharpe, 2) },
];

/** Each pick with its parameters and what became of it; a row's address is that of the run. */
export function RunsTable({ picks, by }: PicksProps): VNode {
  const columns: readonly Column<DatasetPick>[] = [
    {
      name: by === "coin" ? "coin" : "rule",
      isText: true,
      cell: (pick) => (
        <>
          <a href={by === "coin" ? `/coins/${pick.coin}` : `/strategies/${pick.template}`}>
            {nameOf(pick, by)}
          </a>
          <span class="detail">
            {Object.entries(pick.params)
              .map(([name, value]) => `${name} ${significant(value)}`)
              .join(", ")}
          </span>
        </>
      ),
    },
    ...SHARPES,
    {
      name: "default setting",
      cell: ({ default_variant: variant }) => decimal(variant.out_of_sample_sharpe, 2),
    },
    {
      name: "rank afterwards",
      cell: ({ out_of_sample_rank: rank, ranked_runs: ranked }) =>
        rank === null ? decimal(null, 0) : `${rank} of ${ranked}`,
    },
    {
      name: "return afterwards",
      cell: ({ out_of_sample: part }) => signedPercent(part.return_pct),
    },
    { name: "worst fall", cell: ({ out_of_sample: part }) => signedPercent(part.max_drawdown_pct) },
    { name: "chance of overfitting", cell: ({ pbo }) => share(pbo) },
  ];
  const idOf = ({ coin, template }: DatasetPick) => (by === "coin" ? coin : template);
  return <Table label="Runs" columns={columns} rows={picks} idOf={idOf} />;
}

function nameOf({ template, coin }: DatasetPick, by: PicksProps["by"]): string {
  if (by === "template") return templateWords(template);
  return by === "coin" ? coin.toUpperCase() : `${templateWords(template)} on ${coin.toUpperCase()}`;
}
