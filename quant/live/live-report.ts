import type { checkLive } from "./check-live.ts";

/**
 * Whether a live record is still what the backtest promised. Sharpe ratios and volatilities are annual; a figure
 * without a value is NaN. Evidence is an e-value, of which 20 is reached.
 */
export type LiveFigures = ReturnType<typeof checkLive>;
export type LiveClaim = LiveFigures["claim"];
export type EvidenceFigures = LiveFigures["holds"];
export type ContradictionFigures = LiveFigures["stop"]["contradiction"];
export type DecayFigures = LiveFigures["decay"];
export type OverlapFigures = NonNullable<LiveFigures["overlap"]>;
export type LiveVerdict = LiveFigures["verdict"];
export type LiveErrorRates = LiveVerdict["errorRates"];
