import { pickOf } from "../../../server/routes/dataset-pick.ts";
import { robustnessOf } from "../../../server/routes/dataset-robustness.ts";
import { numberJson } from "./reading-json.ts";
import type { Row, SnapshotDatabase } from "./database.ts";

export interface DatasetFilters {
  readonly template: string | undefined;
  readonly coin: string | undefined;
}

/** Day columns as the integers that the pick's rendering takes. */
const DAYS = ["in_sample_start", "in_sample_end", "out_of_sample_start", "out_of_sample_end"];
const PICKS_SQL = `
SELECT * REPLACE (${DAYS.map((name) => `(${name} - DATE '1970-01-01')::INTEGER AS ${name}`).join(", ")})
FROM dataset_picks WHERE ($1 = '' OR template = $1) AND ($2 = '' OR coin = $2)`;
const ABOUT_SQL = `
SELECT d.*, d.as_of::VARCHAR AS as_of_text,
  ${DAYS.map((name) => `${name.endsWith("start") ? "min" : "max"}(p.${name})::VARCHAR AS ${name}`).join(", ")}
FROM dataset d, dataset_picks p GROUP BY ALL`;
const AGGREGATES_SQL = `
SELECT scope, CASE scope WHEN 'coin' THEN coin WHEN 'template' THEN template ELSE family END AS name,
  figure, value, coin_flip, n
FROM dataset_aggregates WHERE n > 0 OR value IS NOT NULL`;
const CELL_SQL = "SELECT * FROM dataset_cells WHERE template = $1 AND coin = $2";

/** The dataset's answer without its attribution. */
export async function datasetJson(db: SnapshotDatabase, { template, coin }: DatasetFilters) {
  const picks = await db.query(PICKS_SQL, [template ?? "", coin ?? ""]);
  const [about = {}] = await db.query(ABOUT_SQL);
  const headline: Record<string, unknown> = {
    ...headlineOf(await db.query(AGGREGATES_SQL)),
    robustness: robustnessOf(await db.query("SELECT * FROM dataset_robustness")),
  };
  if (template !== undefined && coin !== undefined) {
    const [cell] = await db.query(CELL_SQL, [template, coin]);
    headline["matching"] = cell === undefined ? null : figuresOfCell(cell);
  } else if (template !== undefined || coin !== undefined) {
    const scope = template === undefined ? "by_coin" : "by_template";
    const parts = headline[scope] as Record<string, unknown>;
    headline["matching"] = parts[template ?? coin ?? ""] ?? null;
  }
  return {
    dataset: {
      version: about["version"],
      as_of: about["as_of_text"],
      runs_total: about["runs"],
      templates: about["templates"],
      coins: about["coins"],
      variants: about["variants"],
      in_sample: { share: 0.7, start: about["in_sample_start"], end: about["in_sample_end"] },
      out_of_sample: {
        share: 0.3,
        start: about["out_of_sample_start"],
        end: about["out_of_sample_end"],
      },
      note: null,
    },
    headline,
    filters: { template: template ?? null, coin: coin ?? null, note: null },
    picks_total: about["picks"],
    picks_matching: picks.length,
    picks: picks.map(pickOf),
  };
}

type Figures = Record<string, unknown>;

function headlineOf(rows: readonly Row[]) {
  const overall: Figures = {};
  const parts: Record<string, Record<string, Figures>> = {
    by_template: {},
    by_coin: {},
    by_family: {},
  };
  for (const row of rows) {
    const part = parts[`by_${String(row["scope"])}`];
    const figures = part === undefined ? overall : (part[String(row["name"])] ??= {});
    figures[String(row["figure"])] = figureOf(row, "value", "coin_flip", "n");
  }
  return { overall, ...parts };
}

function figuresOfCell(cell: Row): Figures {
  const names = Object.keys(cell).filter((name) => `${name}_n` in cell);
  const known = names.filter((name) => Number(cell[`${name}_n`]) > 0 || cell[name] !== null);
  return Object.fromEntries(
    known.map((name) => [name, figureOf(cell, name, `${name}_coin_flip`, `${name}_n`)]),
  );
}

function figureOf(row: Row, value: string, coinFlip: string, count: string): object {
  return {
    value: numberJson(row, value),
    coin_flip: numberJson(row, coinFlip),
    n: row[count],
  };
}
