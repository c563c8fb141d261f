import { buyHold } from "./buy-hold.ts";
import { dca } from "./dca.ts";
import type { Endpoint } from "./endpoint.ts";
import { signals } from "./signals.ts";
import { strategies } from "./strategies.ts";

/** Every operation of the API, in the order of the documentation. */
export const ENDPOINTS: readonly Endpoint[] = [signals, buyHold, dca, strategies];
