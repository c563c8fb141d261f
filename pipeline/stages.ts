import { buyHold } from "./stages/buy-hold.ts";
import { dca } from "./stages/dca.ts";
import { indicators } from "./stages/indicators.ts";
import { prices } from "./stages/prices.ts";
import { signals } from "./stages/signals.ts";
import type { Stage } from "./stages/stage.ts";
import { strategies } from "./stages/strategies.ts";

/** The stages of a run. The runner orders them by what they read and write. */
export const STAGES: readonly Stage[] = [prices, indicators, signals, buyHold, dca, strategies];
