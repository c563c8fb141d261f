/** The groups that operations are shown in, in the order of the document. */
const GROUPS = [
  {
    name: "Market",
    description: "What indicators say, and what holding a coin brought.",
    paths: ["/signals", "/buy-hold", "/dca"],
  },
  {
    name: "Backtests",
    description: "The trading rules, and runs of them.",
    paths: ["/strategies", "/backtests"],
  },
  {
    name: "Overfitting",
    description: "How much of a good backtest is luck.",
    paths: ["/overfitting", "/overfitting-index", "/dataset"],
  },
  { name: "Account", description: "What an account has used.", paths: ["/usage"] },
  { name: "Service", description: "Whether the service answers.", paths: ["/healthz", "/readyz"] },
] as const;

/** As the document lists them. */
export const TAGS = GROUPS.map(({ name, description }) => ({ name, description }));

/** The `tags` of an operation: without one, viewers and generated clients call its group "default". */
export function tagsOf(path: string): readonly string[] {
  const group = GROUPS.find(({ paths }) => (paths as readonly string[]).includes(path));
  if (group === undefined) throw new Error(`no group of operations has the path "${path}"`);
  return [group.name];
}
