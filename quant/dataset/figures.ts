/** What a headline figure and its coin flip mean. Documents, schemas and tables are generated from this. */
interface FigureText {
  readonly name: string;
  /** `ratio`, `percent`, `fraction`, `count`, `days`. */
  readonly unit: string;
  readonly description: string;
  /** Null where nothing is chosen, so that a coin flip has no meaning. */
  readonly coinFlip: string | null;
}

const RANDOM = "the same of all runs that could have been chosen";

/** Figures of a choice, at the usual costs and at doubled ones. */
const CHOICE: readonly FigureText[] = [
  {
    name: "median_in_sample_sharpe",
    unit: "ratio",
    description: "median in-sample Sharpe of the picks",
    coinFlip: RANDOM,
  },
  {
    name: "median_out_of_sample_sharpe",
    unit: "ratio",
    description: "median out-of-sample Sharpe of the picks",
    coinFlip: RANDOM,
  },
  {
    name: "median_haircut_pct",
    unit: "percent",
    description:
      "median percent of the in-sample Sharpe lost out-of-sample, of picks whose in-sample Sharpe is positive",
    coinFlip: RANDOM,
  },
  {
    name: "share_keeping_half",
    unit: "fraction",
    description: "share of those picks that kept at least half of it",
    coinFlip: RANDOM,
  },
  {
    name: "median_sharpe_difference",
    unit: "ratio",
    description: "median of in-sample less out-of-sample Sharpe",
    coinFlip: RANDOM,
  },
  {
    name: "share_doing_worse",
    unit: "fraction",
    description: "share of picks whose Sharpe was lower out-of-sample than in-sample, ties half",
    coinFlip: RANDOM,
  },
  {
    name: "share_out_of_sample_loss",
    unit: "fraction",
    description: "share of picks that lost money out-of-sample",
    coinFlip: RANDOM,
  },
  {
    name: "share_beating_buy_hold_return",
    unit: "fraction",
    description: "share of picks whose out-of-sample return beat holding the coin",
    coinFlip: RANDOM,
  },
  {
    name: "share_beating_buy_hold_sharpe",
    unit: "fraction",
    description: "share of picks whose out-of-sample Sharpe beat that of holding the coin",
    coinFlip: RANDOM,
  },
  {
    name: "share_beating_default",
    unit: "fraction",
    description:
      "of the picks that are not the default variant, share with a better out-of-sample Sharpe than the default, ties half",
    coinFlip: "the same of all other runs that are not the default",
  },
  {
    name: "share_beating_random",
    unit: "fraction",
    description:
      "mean share of the cell's other runs that the pick beat out-of-sample by Sharpe, ties half",
    coinFlip: "one half",
  },
];

const PERSISTENCE: readonly FigureText[] = [
  {
    name: "all_runs_median_in_sample_sharpe",
    unit: "ratio",
    description: "median in-sample Sharpe of all runs: no choice is in it",
    coinFlip: "itself",
  },
  {
    name: "all_runs_median_out_of_sample_sharpe",
    unit: "ratio",
    description: "median out-of-sample Sharpe of all runs",
    coinFlip: "itself",
  },
  {
    name: "mean_out_of_sample_rank",
    unit: "ratio",
    description: "mean rank of the pick among its cell's runs by out-of-sample Sharpe, 1 best",
    coinFlip: "mean rank of any of those runs",
  },
  {
    name: "share_below_median",
    unit: "fraction",
    description: "share of picks that ranked below the middle",
    coinFlip: "the same of any of those runs",
  },
  {
    name: "share_at_median",
    unit: "fraction",
    description: "share of picks that ranked on the middle",
    coinFlip: "the same of any of those runs",
  },
  {
    name: "mean_rank_correlation",
    unit: "ratio",
    description: "mean over cells of Spearman's correlation of in-sample and out-of-sample Sharpe",
    coinFlip: "0",
  },
  {
    name: "r_squared",
    unit: "fraction",
    description:
      "share of the variance of the picks' out-of-sample Sharpe that the in-sample one explains",
    coinFlip: "1 / (n - 1), of n unrelated pairs",
  },
  {
    name: "all_runs_r_squared",
    unit: "fraction",
    description: "the same over all runs",
    coinFlip: "1 / (n - 1), of n unrelated pairs",
  },
  {
    name: "mean_pbo",
    unit: "fraction",
    description: "mean over cells of the probability of backtest overfitting",
    coinFlip: "one half",
  },
  {
    name: "pbo_p05",
    unit: "fraction",
    description: "5 % of the cells have a lower one: a spread, not an error",
    coinFlip: null,
  },
  {
    name: "pbo_p95",
    unit: "fraction",
    description: "95 % of the cells have a lower one",
    coinFlip: null,
  },
  {
    name: "mean_coin_pbo",
    unit: "fraction",
    description: "mean over coins of the probability of overfitting among all of a coin's 286 runs",
    coinFlip: "one half",
  },
  {
    name: "coin_pbo_p05",
    unit: "fraction",
    description: "5 % of the coins have a lower one",
    coinFlip: null,
  },
  {
    name: "coin_pbo_p95",
    unit: "fraction",
    description: "95 % of the coins have a lower one",
    coinFlip: null,
  },
];

const LUCK_BAR = "expected count of luck alone, 13 independent runs a pick";

const LUCK: readonly FigureText[] = [
  {
    name: "survivors_n_13",
    unit: "count",
    description: "picks with a deflated Sharpe ratio of at least 0.95 for 13 trials, V = 1/(T - 1)",
    coinFlip: LUCK_BAR,
  },
  {
    name: "survivors_n_286",
    unit: "count",
    description: "the same for 286 trials, all runs of the coin",
    coinFlip: LUCK_BAR,
  },
  {
    name: "survivors_n_11440",
    unit: "count",
    description: "the same for all runs of the dataset",
    coinFlip: LUCK_BAR,
  },
  {
    name: "survivors_trials_variance_n_13",
    unit: "count",
    description: "as survivors_n_13, with V the variance of those runs' Sharpe ratios",
    coinFlip: LUCK_BAR,
  },
  {
    name: "survivors_trials_variance_n_286",
    unit: "count",
    description: "as survivors_n_286, with V the variance of those runs' Sharpe ratios",
    coinFlip: LUCK_BAR,
  },
  {
    name: "survivors_trials_variance_n_11440",
    unit: "count",
    description: "as survivors_n_11440, with V the variance of those runs' Sharpe ratios",
    coinFlip: LUCK_BAR,
  },
  {
    name: "out_of_sample_psr_95",
    unit: "count",
    description:
      "picks whose out-of-sample days alone make a Sharpe above 0 at least 95 % probable",
    coinFlip: "5 % of the picks",
  },
  {
    name: "benjamini_yekutieli_survivors",
    unit: "count",
    description: "picks significant out-of-sample at a false discovery rate of 5 %",
    coinFlip: "0",
  },
];

function trialsTexts(prefix: string, of: string): FigureText[] {
  return [
    {
      name: `${prefix}trials`,
      unit: "count",
      description: `mean number of runs that traded in-sample, ${of}`,
    },
    {
      name: `${prefix}mean_correlation`,
      unit: "ratio",
      description: `mean correlation of their returns, ${of}`,
    },
    { name: `${prefix}implied_trials`, unit: "count", description: `rho + (1 - rho) N, ${of}` },
    {
      name: `${prefix}effective_rank`,
      unit: "ratio",
      description: `effective rank of their correlations, ${of}`,
    },
  ].map((text) => ({ ...text, coinFlip: null }));
}

const FACTS: readonly FigureText[] = [
  { name: "flat_runs", unit: "count", description: "runs that never traded" },
  {
    name: "flat_in_sample_runs",
    unit: "count",
    description: "runs on which nothing moved in-sample",
  },
  {
    name: "flat_out_of_sample_runs",
    unit: "count",
    description: "runs on which nothing moved out-of-sample",
  },
  { name: "median_trades", unit: "count", description: "median number of purchases of a run" },
  {
    name: "median_exposure_pct",
    unit: "percent",
    description: "median share of closes with a position",
  },
  {
    name: "median_fees_pct",
    unit: "percent",
    description: "median fees of a run against its starting cash",
  },
  {
    name: "median_in_sample_days",
    unit: "days",
    description: "median number of in-sample days of a run",
  },
  {
    name: "median_out_of_sample_days",
    unit: "days",
    description: "median number of out-of-sample days of a run",
  },
].map((text) => ({ ...text, coinFlip: null }));

/** Every headline figure, in the order of `Headline.figures`. */
export const FIGURES: readonly FigureText[] = [
  ...CHOICE,
  ...PERSISTENCE,
  ...LUCK,
  ...trialsTexts("", "a cell"),
  ...trialsTexts("coin_", "a coin"),
  ...FACTS,
  ...CHOICE.map(({ name, unit, description, coinFlip }) => ({
    name: `${name}_double_costs`,
    unit,
    description: `${description}; chosen and measured with fee and slippage twice as high`,
    coinFlip,
  })),
];
