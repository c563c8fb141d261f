/** What pages show of `GET /dataset`, in its own words. */
export interface DatasetFigure {
  readonly value: number | null;
  readonly coin_flip: number | null;
  readonly n: number;
}

export type DatasetFigures = Readonly<Record<string, DatasetFigure | undefined>>;

export interface RobustnessCheck {
  readonly premium_in_sample: number | null;
  readonly premium_out_of_sample: number | null;
  readonly share_kept: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly picks: number;
  readonly coins: number;
}

export interface DatasetData {
  readonly dataset: {
    readonly version: string;
    readonly as_of: string;
    readonly runs_total: number;
    readonly templates: number;
    readonly coins: number;
    readonly variants: number;
    readonly in_sample: { readonly share: number };
  };
  readonly headline: {
    readonly overall: DatasetFigures;
    readonly by_template: Readonly<Record<string, DatasetFigures>>;
    readonly by_coin: Readonly<Record<string, DatasetFigures>>;
    readonly by_family: Readonly<Record<string, DatasetFigures>>;
    readonly robustness: Readonly<Record<string, RobustnessCheck>> | null;
  };
  readonly picks_total: number;
  readonly picks: readonly DatasetPick[];
}

export interface DatasetPick {
  readonly template: string;
  readonly family: string;
  readonly coin: string;
  readonly variant: number;
  readonly params: Readonly<Record<string, number>>;
  readonly in_sample: DatasetSegment;
  readonly out_of_sample: DatasetSegment;
  readonly default_variant: { readonly out_of_sample_sharpe: number | null };
  readonly out_of_sample_rank: number | null;
  readonly ranked_runs: number;
  readonly pbo: number | null;
  readonly survives: boolean;
  readonly buy_hold: { readonly out_of_sample_sharpe: number | null };
}

export interface DatasetSegment {
  readonly start: string;
  readonly end: string;
  readonly days: number;
  readonly sharpe: number | null;
  readonly return_pct: number | null;
  readonly max_drawdown_pct: number | null;
}

/** Where a run is shown: its row on the page of its coin. */
export function hrefOfRun({ template, coin }: Pick<DatasetPick, "template" | "coin">): string {
  return `/dataset/coins/${coin}#${template}`;
}

/** "ma_cross" as "ma cross". */
export function templateWords(name: string): string {
  return name.replaceAll("_", " ");
}

/** A headline figure of the whole dataset; NaN where it does not exist. */
export function overall({ headline }: DatasetData, name: string): DatasetFigure {
  return headline.overall[name] ?? { value: null, coin_flip: null, n: 0 };
}
