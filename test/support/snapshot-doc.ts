import { INDICATORS } from "../../snapshots/tables/indicators.ts";
import type { Table, TableColumn } from "../../snapshots/tables/table.ts";

/** Columns that share one row of the documentation. */
interface Together {
  readonly tables: readonly string[];
  readonly includes: (name: string, names: ReadonlySet<string>) => boolean;
  readonly row: string;
}

const INDICATOR_NAMES = new Set(INDICATORS.columns.map(({ name }) => name));

const TOGETHER: readonly Together[] = [
  {
    tables: ["signals"],
    includes: (name) => /^(moving_averages|oscillators)(_|$)/.test(name),
    row: "| `moving_averages*`, `oscillators*` | | | as `rating*`, of each half of the components |",
  },
  {
    tables: ["signals"],
    includes: (name) => name.startsWith("signal_"),
    row: "| `signal_<indicator>` | text | | buy, neutral or sell, for each indicator; NULL in its warm-up |",
  },
  {
    tables: ["signals"],
    includes: (name) => name !== "coin" && name !== "day" && INDICATOR_NAMES.has(name),
    row: "| all others | double | | the columns of [indicators](#indicators) on that day |",
  },
  {
    tables: ["indicators"],
    includes: (name) => /^(ema|sma)_\d+$/.test(name),
    row: "| `ema_10` to `ema_200`, `sma_10` to `sma_200` | double | usd | exponential, simple average of the close over 10, 20, 30, 50, 100, 200 days |",
  },
  {
    tables: ["dataset_runs", "dataset_picks"],
    includes: like("out_of_sample_", "in_sample_"),
    row: "| `out_of_sample_*` | | | as `in_sample_*`, out-of-sample |",
  },
  {
    tables: ["dataset_picks"],
    includes: like("buy_hold_out_of_sample_", "buy_hold_in_sample_"),
    row: "| `buy_hold_out_of_sample_*` | | | as `buy_hold_in_sample_*`, out-of-sample |",
  },
  {
    tables: ["dataset_runs"],
    includes: like("whole_", "in_sample_"),
    row: "| `whole_*` | | | as `in_sample_*`, of the whole run |",
  },
  {
    tables: ["dataset_blocks"],
    includes: (name) => name.startsWith("sum_"),
    row: "| `sum_1` to `sum_16` | double | fraction | sum of the daily returns in the block |",
  },
  {
    tables: ["dataset_blocks"],
    includes: (name) => name.startsWith("square_sum_"),
    row: "| `square_sum_1` to `square_sum_16` | double | fraction squared | sum of the squares of the daily returns in the block |",
  },
  {
    tables: ["dataset_cells"],
    includes: (name, names) => name.startsWith("coin_") && names.has(name.slice("coin_".length)),
    row: "| `coin_<figure>` | double | as the figure | the same of all runs of a coin |",
  },
  {
    tables: ["dataset_cells"],
    includes: (name) => name.endsWith("_double_costs"),
    row: "| `<figure>_double_costs` | double | as the figure | the first eleven figures, chosen and measured with fee and slippage doubled |",
  },
  {
    tables: ["dataset_cells"],
    includes: (name) => name.endsWith("_coin_flip"),
    row: "| `<figure>_coin_flip` | double | as the figure | what a coin flip gives, for figures whose description names it |",
  },
  {
    tables: ["dataset_cells"],
    includes: (name) => name.endsWith("_n"),
    row: "| `<figure>_n` | integer | | picks or runs that the figure is taken over |",
  },
  {
    tables: ["dataset_robustness"],
    includes: like("null_60_", "null_5_"),
    row: "| `null_60_*` | double | | as `null_5_*`, with blocks of 1 to 60 days |",
  },
  {
    tables: ["overfitting_index"],
    includes: like("shopping_", "tuning_"),
    row: "| `shopping_*` | | | as `tuning_*`, of the other layer |",
  },
  {
    tables: ["overfitting_index"],
    includes: (name) => /^null_band_(tuning|shopping)_/.test(name),
    row: "| `null_band_tuning_*`, `null_band_shopping_*` | | | as `null_band_*`, of the score of a layer |",
  },
];

/** Whether a column is named like another one but for its prefix. */
function like(prefix: string, other: string): Together["includes"] {
  return (name, names) => name.startsWith(prefix) && names.has(other + name.slice(prefix.length));
}

/** The part of docs/data.md that describes one table. */
export function docOfTable(table: Table): string {
  const rows = [...new Set(table.columns.map((column) => rowOf(column, table)))];
  const isShared = (row: string) => TOGETHER.some((each) => each.row === row);
  const ordered = [...rows.filter((row) => !isShared(row)), ...rows.filter(isShared)];
  const key = table.key.map((name) => `\`${name}\``).join(", ");
  const files = table.arrow ? "Parquet, DuckDB, Arrow" : "Parquet, DuckDB";
  return [
    `## ${table.name}`,
    "",
    `${table.description} One row for each ${key}. In ${files}.`,
    "",
    "| column | type | unit | what |",
    "| --- | --- | --- | --- |",
    ...ordered,
  ].join("\n");
}

function rowOf({ name, type, unit, description }: TableColumn, table: Table): string {
  const names = new Set(table.columns.map((column) => column.name));
  const shared = TOGETHER.find(
    (each) => each.tables.includes(table.name) && each.includes(name, names),
  );
  if (shared !== undefined) return shared.row;
  const flip = table.columns.find((column) => column.name === `${name}_coin_flip`);
  const what = flip === undefined ? description : `${description}; ${flip.description}`;
  return `| \`${name}\` | ${type} | ${unit} | ${what} |`;
}
