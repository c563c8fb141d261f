/** The parameters of the alternative service as JSON Schema, which Fastify compiles. */
const COIN = { type: "string", minLength: 1, maxLength: 40 };
const object = (properties: object, required: readonly string[] = []) => ({
  type: "object",
  additionalProperties: false,
  properties,
  required,
});

export const SIGNALS_QUERY = object({ coin: COIN });
export const COIN_QUERY = object({ coin: COIN }, ["coin"]);
export const DCA_QUERY = object(
  {
    coin: COIN,
    amount: { type: "number", exclusiveMinimum: 0, maximum: 1e9, default: 100 },
    frequency: { type: "string", enum: ["weekly", "monthly"], default: "weekly" },
    start_date: { type: "string", format: "date" },
  },
  ["coin"],
);
export const DATASET_QUERY = object({ template: COIN, coin: COIN });
export const BACKTEST_BODY = object(
  {
    sharpe: { type: "number", minimum: -1e6, maximum: 1e6 },
    timeframe: { type: "string", enum: ["1h", "4h", "1d", "1w"], default: "1d" },
    length_days: { type: "number", exclusiveMinimum: 0, maximum: 1e9 },
    n_trials: { type: "integer", minimum: 1, maximum: 1e9 },
    skew: { type: "number", default: 0 },
    kurtosis: { type: "number", minimum: 1, default: 3 },
    trials_sharpe_std: { type: "number", minimum: 0 },
  },
  ["sharpe", "length_days", "n_trials"],
);
