import type { Tag } from "../routes/endpoint.ts";

const DESCRIPTIONS: Readonly<Record<Tag | "Service", string>> = {
  Market: "What indicators say, and what holding a coin brought.",
  Backtests: "The trading rules, and runs of them.",
  Overfitting: "How much of a good backtest is luck.",
  Account: "What an account has used.",
  Service: "Whether the service answers.",
};

/** The groups that operations are shown in, in the order of the document. */
export const TAGS = Object.entries(DESCRIPTIONS).map(([name, description]) => ({
  name,
  description,
}));
