import type { DatasetFigure } from "../../api/dataset.ts";
import type { DatasetPick } from "../../api/dataset-pick.ts";
import { hrefOfRun } from "../paths.ts";
import type { VNode } from "preact";
import type { ChartParts } from "../charts/chart.tsx";
import { rowChart } from "../charts/row-chart.tsx";
import { scatterChart } from "../charts/scatter-chart.tsx";
import { plain } from "../claim.ts";
import { decimal, rangeText, share, signedPercent, significant, templateWords } from "../format.ts";
import { Table, type Column } from "../table.tsx";

type Picks = readonly DatasetPick[];
/** What a pick is named after: its coin on the page of a rule, its rule on the page of a coin. */
type NamedBy = "template" | "coin" | "both";

/** Each pick before and after the choice; `worse` is the share of picks, and of all runs, that did worse afterwards. */
export function picksScatter(
  picks: Picks,
  by: NamedBy,
  worse: DatasetFigure | undefined,
): ChartParts | null {
  const points = picks.flatMap((pick) => {
    const [x, y] = [pick.in_sample.sharpe, pick.out_of_sample.sharpe];
    if (x === null || y === null) return [];
    return [{ x, y, name: nameOf(pick, by), href: hrefOfRun(pick) }];
  });
  if (points.length === 0) return null;
  const drawing = scatterChart(points, {
    title: worseTitle(worse),
    subtitle:
      "Annual Sharpe ratio of each pick; below the dashed line it fell, which the market does to all. A point leads to its run",
    xName: "while choosing",
    yName: "afterwards",
  });
  return { drawing, table: picksTable(picks, by) };
}

function worseTitle(worse: DatasetFigure | undefined): string {
  if (worse === undefined || worse.value === null) return "Each pick before and after the choice";
  return plain(
    `${share(worse.value)} of the picks did worse afterwards than before; ${fixedWords(worse, share)}`,
  );
}

/** What a setting that is fixed blindly for all comes to, as words; of all runs where there is no range. */
export function fixedWords(
  figure: DatasetFigure | undefined,
  text: (value: number) => string,
): string {
  const { range: [low, high] = [], coin_flip: flip = null } = figure ?? {};
  if (low !== undefined && high !== undefined)
    return `a setting fixed blindly: ${rangeText([low, high], text)}`;
  return `all runs: ${flip === null ? "–" : text(flip)}`;
}

/** A share as a tile, beside what a setting that is fixed blindly comes to. */
export function fixedTile(name: string, figure: DatasetFigure | undefined) {
  return [name, share(figure?.value), fixedWords(figure, share)] as const;
}

/** Each pick beside the mean of the settings that it was chosen among, afterwards: the best first. */
export function picksRows(
  picks: Picks,
  by: NamedBy,
  above?: { readonly own: DatasetFigure | undefined; readonly among?: string },
): ChartParts | null {
  const rows = picks
    .map((pick) => {
      const before = pick.variants.mean_out_of_sample_sharpe;
      const after = pick.out_of_sample.sharpe;
      const isGood = (after ?? NaN) > (before ?? NaN);
      return { name: nameOf(pick, by), href: hrefOfRun(pick), before, after, isGood };
    })
    .filter(({ before, after }) => before !== null && after !== null)
    .toSorted((a, b) => b.after! - a.after!); // rows without one are gone
  if (rows.length === 0) return null;
  const better = rows.filter(({ isGood }) => isGood).length;
  const drawing = rowChart(rows, {
    title: plain(
      `${better} of ${rows.length} picks did better than the mean of their 13 settings${above === undefined ? "" : `; ${above.among ?? fixedWords(above.own, count)}`}`,
    ),
    subtitle:
      "Annual Sharpe ratio after the choice; teal where the pick was better, amber where it was worse",
    before: "mean of the 13",
    after: "pick",
    digits: 2,
  });
  return { drawing, table: picksTable(picks, by) };
}

const count = (value: number) => decimal(value, 0);

const SHARPES: readonly Column<DatasetPick>[] = [
  { name: "Sharpe while choosing", cell: (pick) => decimal(pick.in_sample.sharpe, 2) },
  { name: "afterwards", cell: (pick) => decimal(pick.out_of_sample.sharpe, 2) },
  { name: "mean of the 13", cell: (pick) => decimal(pick.variants.mean_out_of_sample_sharpe, 2) },
  { name: "holding", cell: (pick) => decimal(pick.buy_hold.out_of_sample_sharpe, 2) },
];

export function picksTable(picks: Picks, by: NamedBy): VNode {
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

/** Each pick with its parameters and what became of it. A row's address is that of the run. */
export function runsTable(picks: Picks, by: "template" | "coin"): VNode {
  const linked = (pick: DatasetPick) => (
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
  );
  const rank = ({ out_of_sample_rank: rank, ranked_runs: ranked }: DatasetPick) =>
    rank === null ? decimal(null, 0) : `${rank} of ${ranked}`;
  const columns: readonly Column<DatasetPick>[] = [
    { name: by === "coin" ? "coin" : "rule", isText: true, cell: linked },
    ...SHARPES,
    {
      name: "default setting",
      cell: (pick) => decimal(pick.default_variant.out_of_sample_sharpe, 2),
    },
    { name: "rank afterwards", cell: rank },
    { name: "return afterwards", cell: (pick) => signedPercent(pick.out_of_sample.return_pct) },
    { name: "worst fall", cell: (pick) => signedPercent(pick.out_of_sample.max_drawdown_pct) },
    { name: "chance of overfitting", cell: ({ pbo }) => share(pbo) },
  ];
  return <Table label="Every run" columns={columns} rows={picks} idOf={(pick) => pick[by]} />;
}

function nameOf({ template, coin }: DatasetPick, by: NamedBy): string {
  if (by === "template") return templateWords(template);
  return by === "coin" ? coin.toUpperCase() : `${templateWords(template)} on ${coin.toUpperCase()}`;
}
