/** Makes the service of a server, with everything it needs around it. */
import type { Access, State } from "../accounts/open-state.ts";
import { readPlans } from "../accounts/plans.ts";
import type { AccountsClock } from "../accounts/accounts.ts";
import type { OperatorLinks } from "../web/layout.tsx";
import { CheckSlots } from "./checks/check-slots.ts";
import { checkRunner } from "./checks/run-check.ts";
import { CorsPolicy } from "./http/cors.ts";
import { isLoopback, originOf } from "./http/url.ts";
import type { ServerMetrics } from "./metrics/server-metrics.ts";
import {
  documentation,
  keylessResources,
  openPaths,
  servedLibrary,
} from "./openapi/keyless-resources.ts";
import type { AccountPagesAsked } from "./account-pages/account-forms.ts";
import type { BacktestProcess } from "./process/backtest-process.ts";
import { rememberedPing } from "./process/remembered-ping.ts";
import { serviceLog } from "./process/service-log.ts";
import { plainSource, siteOf } from "./pages/site.ts";
import { Service } from "./requests/service.ts";
import type { AccountPages } from "./requests/site.ts";
import { tableFiles } from "./requests/table-files.ts";
import { ENDPOINTS } from "./routes/endpoints.ts";
import type { ServerOptions } from "./server-options.ts";

import type * as AccountPagesModule from "./account-pages/open-account-pages.ts";

/** How long after the start the pages are made, so that they do not delay it. */
const PAGES_AFTER_MS = 2000;

interface Served {
  readonly clock: AccountsClock;
  readonly state: State;
  readonly metrics: ServerMetrics;
  readonly backtests: BacktestProcess | undefined;
  readonly accounts: AccountPagesParts | undefined;
  readonly operator: OperatorLinks;
}

interface AccountPagesParts extends Access {
  readonly asked: AccountPagesAsked;
  readonly open: typeof AccountPagesModule.openAccountPages;
}

/** The pages of accounts, if they are wanted and possible. Their code is loaded only then. */
export async function accountsOf(
  options: ServerOptions,
  state: State,
): Promise<AccountPagesParts | undefined> {
  const { accountPages: asked, host, port, publicUrl, log } = options;
  if (asked === undefined) return undefined;
  const code = await import("./account-pages/open-account-pages.ts");
  // A server that only this machine reaches needs no other address.
  const own = isLoopback(host) ? originOf(host, port) : undefined;
  const reason = code.accountPagesFault({ publicUrl: publicUrl ?? own, smtpUrl: asked.smtpUrl });
  if (reason === undefined) {
    return { asked, open: code.openAccountPages, ...(await state.openAccess()) };
  }
  log.warn({ reason }, "the account page is off");
  return undefined;
}

function accountPagesOf(
  { log, plans }: ServerOptions,
  { clock, state, metrics, accounts, operator }: Served,
  publicUrl: string,
  coin: () => string,
): AccountPages | undefined {
  if (accounts === undefined) return undefined;
  const { open, ...opened } = accounts;
  const shared = { clock, publicUrl, coin, log, plans: readPlans(plans), count: metrics.countLink };
  const about = () => plainSource(operator);
  return open({ ...shared, ...opened, about, accounts: state.accounts, jobs: state.jobs });
}

export function serviceOf(options: ServerOptions, served: Served, port: number): Service {
  const { clock, state, metrics, backtests, operator } = served;
  const { log, host, corsOrigins, publicUrl = originOf(host, port) } = options;
  const library = servedLibrary();
  const docs = documentation(library, publicUrl, operator);
  const site = siteOf(operator);
  const report = (error: unknown) => log.error({ err: error }, "pages cannot be loaded");
  setTimeout(() => {
    docs.start();
    site.problemPage().catch(report);
  }, PAGES_AFTER_MS).unref();
  const coin = (): string => service.answers?.snapshot.coins[0]?.ticker ?? "btc";
  const service = new Service({
    accounts: state.accounts,
    jobs: state.jobs,
    wakeBacktests: () => backtests?.wake(),
    backtestFault: (id) => backtests?.faultOn(id),
    checkSlots: new CheckSlots(),
    runCheck: checkRunner(options),
    endpoints: ENDPOINTS,
    tables: tableFiles(options.snapshots, (reason) => {
      metrics.snapshots.damaged();
      log.error({ reason }, "a snapshot cannot be sent");
    }),
    withholdsPrices: options.withholdsPrices,
    tableBytesPerDay: options.tableBytesPerDay,
    open: keylessResources(openPaths(library), docs),
    site,
    accountPages: accountPagesOf(options, served, publicUrl, coin),
    answerAssistant: async (request) => {
      const { mcpEndpoint } = await import("./assistants/mcp-endpoint.ts"); // large, and seldom used
      const origin = originOf(host, port);
      const cors = new CorsPolicy(corsOrigins);
      return await mcpEndpoint({ version: options.version, origin, publicUrl, cors })(request);
    },
    publicUrl,
    corsOrigins,
    trustedProxies: options.trustedProxies,
    ...clock,
    isReachable: rememberedPing(() => state.accounts.ping(), clock.monotonicMs),
    log: serviceLog(log, clock.monotonicMs),
    meterOf: (routes) => metrics.meterOf(routes),
  });
  return service;
}
