import { baseRates } from "./base-rates.ts";
import { buyHold } from "./buy-hold.ts";
import { check } from "./check.ts";
import { dataset } from "./dataset.ts";
import { dca } from "./dca.ts";
import { pollBacktest, submitBacktest } from "./backtests.ts";
import type { Endpoint, ReadEndpoint } from "./endpoint.ts";
import { history } from "./history.ts";
import { overfitting } from "./overfitting.ts";
import { overfittingIndex } from "./overfitting-index.ts";
import { ratingWorth } from "./rating-worth.ts";
import { signals } from "./signals.ts";
import { pollStudy, submitStudy } from "./studies.ts";
import { snapshots } from "./snapshots.ts";
import { strategies } from "./strategies.ts";
import { usage } from "./usage.ts";

/** Every operation of the API, in the order of the OpenAPI document. */
export const ENDPOINTS: readonly Endpoint[] = [
  signals,
  ratingWorth,
  history,
  buyHold,
  dca,
  check,
  overfitting,
  baseRates,
  overfittingIndex,
  dataset,
  strategies,
  submitBacktest,
  pollBacktest,
  submitStudy,
  pollStudy,
  usage,
  snapshots,
];

/** The endpoints that answer from the snapshot alone. */
export const READ_ENDPOINTS: readonly ReadEndpoint[] = ENDPOINTS.filter(
  (endpoint) => endpoint.kind === "read",
);
