/** What a headline figure and its coin flip mean. Documents, schemas and tables are generated from this. */
interface FigureText {
  readonly name: string;
  /** `ratio`, `percent`, `fraction`, `count`, `days`. */
  readonly unit: string;
  readonly description: string;
  /** Null where nothing is chosen, so that a coin flip has no meaning. */
  readonly coinFlip: string | null;
}

type Row = readonly [
  name: string,
  unit: string,
  description: string,
  coinFlip?: string | null | undefined,
];

/** Rows whose coin flip means the same, unless they say otherwise. */
function flipped(coinFlip: string, rows: readonly Row[]): readonly Row[] {
  return rows.map(([name, unit, description, own = coinFlip]) => [name, unit, description, own]);
}

/** Figures of a choice, at the usual costs and at doubled ones. */
const CHOICE = flipped("the same of all runs that could have been chosen", [
  ["median_in_sample_sharpe", "ratio", "median in-sample Sharpe of the picks"],
  ["median_out_of_sample_sharpe", "ratio", "median out-of-sample Sharpe of the picks"],
  [
    "median_haircut_pct",
    "percent",
    "median percent of the in-sample Sharpe lost out-of-sample, of picks whose in-sample Sharpe is positive",
  ],
  ["share_keeping_half", "fraction", "share of those picks that kept at least half of it"],
  ["median_sharpe_difference", "ratio", "median of in-sample less out-of-sample Sharpe"],
  [
    "share_doing_worse",
    "fraction",
    "share of picks whose Sharpe was lower out-of-sample than in-sample, ties half",
  ],
  ["share_out_of_sample_loss", "fraction", "share of picks that lost money out-of-sample"],
  [
    "share_beating_buy_hold_return",
    "fraction",
    "share of picks whose out-of-sample return beat holding the coin",
  ],
  [
    "share_beating_buy_hold_sharpe",
    "fraction",
    "share of picks whose out-of-sample Sharpe beat that of holding the coin",
  ],
  [
    "share_beating_default",
    "fraction",
    "of the picks that are not the default variant, share with a better out-of-sample Sharpe than the default, ties half",
    "the same of all other runs that are not the default",
  ],
  [
    "share_beating_random",
    "fraction",
    "mean share of the cell's other runs that the pick beat out-of-sample by Sharpe, ties half",
    "one half",
  ],
]);

const PERSISTENCE: readonly Row[] = [
  ...flipped("itself", [
    [
      "all_runs_median_in_sample_sharpe",
      "ratio",
      "median in-sample Sharpe of all runs: no choice is in it",
    ],
    ["all_runs_median_out_of_sample_sharpe", "ratio", "median out-of-sample Sharpe of all runs"],
  ]),
  [
    "mean_out_of_sample_rank",
    "ratio",
    "mean rank of the pick among its cell's runs by out-of-sample Sharpe, 1 best",
    "mean rank of any of those runs",
  ],
  ...flipped("the same of any of those runs", [
    ["share_below_median", "fraction", "share of picks that ranked below the middle"],
    ["share_at_median", "fraction", "share of picks that ranked on the middle"],
  ]),
  [
    "mean_rank_correlation",
    "ratio",
    "mean over cells of Spearman's correlation of in-sample and out-of-sample Sharpe",
    "0",
  ],
  ...flipped("1 / (n - 1), of n unrelated pairs", [
    [
      "r_squared",
      "fraction",
      "share of the variance of the picks' out-of-sample Sharpe that the in-sample one explains",
    ],
    ["all_runs_r_squared", "fraction", "the same over all runs"],
  ]),
  ...flipped("one half", [
    ["mean_pbo", "fraction", "mean over cells of the probability of backtest overfitting"],
    ["pbo_p05", "fraction", "5 % of the cells have a lower one: a spread, not an error", null],
    ["pbo_p95", "fraction", "95 % of the cells have a lower one", null],
    [
      "mean_coin_pbo",
      "fraction",
      "mean over coins of the probability of overfitting among all of a coin's 286 runs",
    ],
    ["coin_pbo_p05", "fraction", "5 % of the coins have a lower one", null],
    ["coin_pbo_p95", "fraction", "95 % of the coins have a lower one", null],
  ]),
];

const SOURCES: readonly Row[] = [
  ...flipped("mean over the 13 variants, each fixed in advance", [
    [
      "picks_above_settings",
      "count",
      "picks with a better out-of-sample Sharpe than the mean of the settings of their cell",
    ],
    [
      "rules_above_settings",
      "count",
      "templates whose picks have a higher median out-of-sample Sharpe over the coins than the means of their settings",
    ],
  ]),
  ...flipped("(k - 1) / (n - 1), of n picks in k groups that mean nothing", [
    [
      "coin_share_of_variance",
      "fraction",
      "share of the variance of the picks' out-of-sample Sharpe that lies between coins",
    ],
    ["template_share_of_variance", "fraction", "the same between templates"],
  ]),
];

const LUCK: readonly Row[] = [
  ...flipped("expected count of luck alone, 13 independent runs a pick", [
    [
      "survivors_n_13",
      "count",
      "picks with a deflated Sharpe ratio of at least 0.95 for 13 trials, V = 1/(T - 1)",
    ],
    ["survivors_n_286", "count", "the same for 286 trials, all runs of the coin"],
    ["survivors_n_11440", "count", "the same for all runs of the dataset"],
    ...["n_13", "n_286", "n_11440"].map((trials): Row => [
      `survivors_trials_variance_${trials}`,
      "count",
      `as survivors_${trials}, with V the variance of those runs' Sharpe ratios`,
    ]),
  ]),
  [
    "out_of_sample_psr_95",
    "count",
    "picks whose out-of-sample PSR is at least 0.95: without an edge it is that high 5 times in 100",
    "5 % of the picks",
  ],
  [
    "benjamini_yekutieli_survivors",
    "count",
    "picks significant out-of-sample at a false discovery rate of 5 %",
    "0",
  ],
];

function trialsRows(prefix: string, what: string): readonly Row[] {
  return [
    [`${prefix}trials`, "count", `mean number of runs that traded in-sample, ${what}`],
    [`${prefix}mean_correlation`, "ratio", `mean correlation of their returns, ${what}`],
    [`${prefix}implied_trials`, "count", `rho + (1 - rho) N, ${what}`],
    [`${prefix}effective_rank`, "ratio", `effective rank of their correlations, ${what}`],
  ];
}

const FACTS: readonly Row[] = [
  ["flat_runs", "count", "runs that never traded"],
  ["flat_in_sample_runs", "count", "runs on which nothing moved in-sample"],
  ["flat_out_of_sample_runs", "count", "runs on which nothing moved out-of-sample"],
  ["median_trades", "count", "median number of purchases of a run"],
  ["median_exposure_pct", "percent", "median share of closes with a position"],
  ["median_fees_pct", "percent", "median fees of a run against its starting cash"],
  ["median_in_sample_days", "days", "median number of in-sample days of a run"],
  ["median_out_of_sample_days", "days", "median number of out-of-sample days of a run"],
];

/** Every headline figure, in the order of `Headline.figures`. */
export const FIGURES: readonly FigureText[] = [
  ...CHOICE,
  ...PERSISTENCE,
  ...SOURCES,
  ...LUCK,
  ...trialsRows("", "a cell"),
  ...trialsRows("coin_", "a coin"),
  ...FACTS,
  ...CHOICE.map(([name, unit, description, coinFlip]): Row => {
    const doubled = `${description}; chosen and measured with fee and slippage twice as high`;
    return [`${name}_double_costs`, unit, doubled, coinFlip];
  }),
].map(([name, unit, description, coinFlip = null]) => ({ name, unit, description, coinFlip }));
