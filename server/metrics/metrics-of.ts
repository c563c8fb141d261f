import type { AccountsClock } from "../../accounts/accounts.ts";
import type { State } from "../../accounts/open-state.ts";
import type { HttpServer } from "../http/listen.ts";
import type { ServerOptions } from "../server-options.ts";
import { ServerMetrics } from "./server-metrics.ts";

/** The metrics of a server on its state. */
export function metricsOf(
  { version, backups, publicUrl }: ServerOptions,
  { state, clock }: { readonly state: State; readonly clock: AccountsClock },
  http: () => HttpServer | undefined,
  backtestsReady: () => boolean | undefined,
): ServerMetrics {
  return new ServerMetrics({
    clock,
    version,
    store: {
      kind: state.file === undefined ? "redis" : "embedded",
      file: state.file,
      ping: () => state.accounts.ping(),
    },
    jobs: () => state.jobs.counts(),
    inFlight: () => http()?.inFlight() ?? 0,
    connections: () => http()?.connections() ?? 0,
    backtestsReady,
    backups,
    publicUrl,
  });
}
