/** What pages show of `GET /signals`, `GET /buy-hold` and `GET /strategies`, in their own words. */
export interface CoinReading {
  readonly coin: string;
  readonly name: string;
  readonly date: string | null;
  readonly stale: boolean;
  readonly close_usd: number | null;
  readonly change_1d_pct: number | null;
  readonly change_7d_pct: number | null;
  readonly change_30d_pct: number | null;
  readonly indicators: SignalLines & {
    readonly ema: Readonly<Record<string, SignalLine | null>>;
    readonly sma: Readonly<Record<string, SignalLine | null>>;
    readonly realized_volatility_30d_pct: { readonly value: number | null } | null;
    readonly drawdown_from_high_pct: { readonly value: number | null } | null;
    readonly supertrend: { readonly direction: "up" | "down" } | null;
  };
  readonly summary:
    | (RatingCount & {
        readonly moving_averages: RatingCount;
        readonly oscillators: RatingCount;
      })
    | null;
}

/** An indicator's values and its signal. */
export interface SignalLine {
  readonly signal: "buy" | "neutral" | "sell";
  readonly [value: string]: number | string | null;
}

type SignalLines = Readonly<
  Record<
    | "hull_ma"
    | "vwma"
    | "ichimoku"
    | "rsi"
    | "stochastic"
    | "cci"
    | "adx"
    | "awesome_oscillator"
    | "momentum"
    | "macd"
    | "stoch_rsi"
    | "williams_r"
    | "bull_bear_power"
    | "ultimate_oscillator",
    SignalLine | null
  >
>;

export interface RatingCount {
  readonly rating: string | null;
  readonly score: number | null;
  readonly buy: number;
  readonly neutral: number;
  readonly sell: number;
}

export interface HoldingYear {
  readonly year: number;
  readonly entry_date: string;
  readonly days_held: number;
  readonly entry_price_usd: number | null;
  readonly value_of_1000_usd: number | null;
  readonly return_pct: number | null;
  readonly cagr_pct: number | null;
  readonly peak_return_pct: number | null;
  readonly max_drawdown_pct: number | null;
}

export interface StrategyTemplate {
  readonly name: string;
  readonly title: string;
  readonly family: string;
  readonly description: string;
  readonly entry_rule: string;
  readonly exit_rule: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly title: string;
    readonly unit: string;
    readonly default: number;
  }[];
  readonly variants: readonly {
    readonly variant: number;
    readonly params: Readonly<Record<string, number>>;
  }[];
  readonly references: readonly string[];
}

/** "strong_buy" as "strong buy". */
export function ratingWords(rating: string | null | undefined): string {
  return rating?.replace("_", " ") ?? "not rated yet";
}
