/** Why live differs by trades. Apart: schemas need no matching. */
export const TRADE_CAUSES = [
  "missing",
  "extra",
  "entry_time",
  "entry_price",
  "exit_time",
  "exit_price",
  "size",
  "fees",
  "funding",
  "result",
  "rest",
] as const;
export type TradeCause = (typeof TRADE_CAUSES)[number];
