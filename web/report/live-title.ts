import type { CheckLive } from "../../api/check-live.ts";

const TITLES: Readonly<Record<CheckLive["verdict"]["value"], string>> = {
  withheld: "No verdict.",
  too_early: "Too early.",
  stop_loses: "Stop: it loses live.",
  stop_contradicted: "Stop: live contradicts the backtest.",
  decayed: "It looks as if the edge had gone.",
  holds: "It holds.",
  no_claim: "There is no claim to hold it to.",
  open: "Keep going.",
};

/** What became of a backtest live, in a few words. */
export function liveTitle({ verdict, claim, stop, how_long: long }: CheckLive): string {
  if (verdict.value !== "open") return TITLES[verdict.value];
  const isAsked = claim.n_trials.source === "assumed" && stop.contradiction.reached_on !== null;
  if (isAsked) return "It depends on how many you tried.";
  return long.stop?.none.median_days === null ? "Nobody can tell yet." : TITLES.open;
}
