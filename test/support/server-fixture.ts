import { afterAll, beforeEach } from "vitest";
import type { Accounts } from "../../accounts/accounts.ts";
import { parsePlans } from "../../accounts/plans.ts";
import { CheckSlots } from "../../server/checks/check-slots.ts";
import { checkRunner } from "../../server/checks/run-check.ts";
import type { JobOutcome } from "../../accounts/jobs/job.ts";
import { SqliteJobs } from "../../accounts/jobs/sqlite/sqlite-jobs.ts";
import { answer } from "../../server/jobs/worker.ts";
import type { OpenResource } from "../../server/requests/site.ts";
import { Service } from "../../server/requests/service.ts";
import type { ServiceOptions } from "../../server/requests/service-options.ts";
import type { HttpRequest } from "../../server/http/request.ts";
import { CorsPolicy } from "../../server/http/cors.ts";
import { listen, type HttpServer } from "../../server/http/listen.ts";
import type { Manifest } from "../../snapshots/manifest.ts";
import type { Endpoint } from "../../server/routes/endpoint.ts";
import { ENDPOINTS } from "../../server/routes/endpoints.ts";
import type { SnapshotData } from "../../server/routes/snapshot-data.ts";
import { siteOf } from "../../server/pages/site.ts";
import { mcpEndpoint } from "../../server/assistants/mcp-endpoint.ts";
import type { TableFiles } from "../../server/requests/table-files.ts";
import { SnapshotAnswers } from "../../server/requests/answer.ts";
import type { AccountPages } from "../../server/requests/site.ts";
import { AccountsFixture, callerOf } from "./accounts-fixture.ts";
import { requestText } from "./http-raw.ts";
import { pagesInProcess } from "./pages-in-process.ts";
import { marketSnapshot } from "./server-market.ts";
import { schemaFaults } from "./server-schema.ts";

/**
 * The plans of the tests, besides the built-in ones: without limits that tests reach, of three calls a month, of two
 * calls a minute, and with backtests.
 */
export const TEST_PLANS = parsePlans(
  JSON.stringify({
    plans: [
      testPlan("roomy", 1_000_000, 1_000_000),
      testPlan("three", 3, 1_000_000),
      testPlan("slow", 1_000_000, 2),
      { ...testPlan("paid", 100, 1_000_000), backtest_units: 10, concurrent_runs: 2 },
    ],
  }),
  "test",
);

function testPlan(name: string, calls: number, rate: number) {
  return {
    name,
    price_usd: null,
    calls_per_month: calls,
    rate_per_minute: rate,
    backtest_units: null,
    concurrent_runs: null,
  };
}

export interface FixtureOptions {
  readonly snapshot?: SnapshotData | null;
  readonly withholdsPrices?: boolean;
  readonly endpoints?: readonly Endpoint[];
  readonly corsOrigins?: readonly string[];
  readonly open?: ReadonlyMap<string, OpenResource>;
  readonly trustedProxies?: readonly string[];
  /** The snapshots whose files are sent. By default the market's is listed, without a folder. */
  readonly tables?: TableFiles;
  readonly tableBytesPerDay?: number;
  /** Receives what happens to requests. By default the lists of the fixture do. */
  readonly log?: ServiceOptions["log"];
  /** The counter. By default there is none. */
  readonly meterOf?: ServiceOptions["meterOf"];
  /** Whether the store can be reached, for /readyz. By default it can. */
  readonly isReachable?: () => Promise<boolean>;
  readonly backtestFault?: ServiceOptions["backtestFault"];
  /** Wraps the store. */
  readonly wrap?: (accounts: Accounts) => Accounts;
  /** A monotonic clock. By default it stands still. */
  readonly monotonicMs?: () => number;
  /** The pages of accounts. By default there are none. */
  readonly accountPages?: (fixture: ServerFixture, publicUrl: string) => AccountPages;
  /** Runs checks. By default they run in built processes, without a snapshot. */
  readonly runCheck?: ServiceOptions["runCheck"];
}

export interface Defect {
  readonly request: HttpRequest;
  readonly error: unknown;
}

/**
 * The service on a real port, over a made-up market and a real account store, with a clock that does not move.
 */
export class ServerFixture {
  readonly accountsFixture = new AccountsFixture();
  readonly state = this.accountsFixture.open({ plans: TEST_PLANS });
  readonly accounts = this.state;
  readonly clock = this.accountsFixture.clock;
  /** The queue of backtests. They run only when a test runs them. */
  readonly jobs = new SqliteJobs(this.state.ledger, { error: () => {} });
  wakeUps = 0;
  readonly defects: Defect[] = [];
  /** Finished requests with the status they got, or "" if the client had gone. */
  readonly over: { readonly request: HttpRequest; readonly status: string }[] = [];
  /** The snapshot that backtests run on. */
  snapshot = marketSnapshot();
  service!: Service;
  http!: HttpServer;

  static async start(options: FixtureOptions = {}): Promise<ServerFixture> {
    const fixture = new ServerFixture();
    const endpoints = options.endpoints ?? ENDPOINTS;
    fixture.http = await listen("127.0.0.1", 0, (port) => {
      fixture.service = new Service(fixture.#serviceOptions(options, endpoints, port));
      return fixture.service;
    });
    const { snapshot = fixture.snapshot } = options;
    const reads = endpoints.filter((endpoint) => endpoint.kind === "read");
    if (snapshot !== null) {
      fixture.snapshot = snapshot;
      const { withholdsPrices = false } = options;
      fixture.service.answers = new SnapshotAnswers({ ...snapshot, withholdsPrices }, reads);
      const hasAccounts = options.accountPages !== undefined;
      fixture.service.pages = pagesInProcess(snapshot, withholdsPrices, { hasAccounts });
    }
    return fixture;
  }

  /** Runs the next job of the queue, if there is one, as a worker would, or ends it with a given outcome. */
  runNext(outcome?: JobOutcome): void {
    const nowMs = this.clock.nowMs();
    const job = this.jobs.claim(nowMs, [this.snapshot.id]);
    if (job === undefined) return;
    const bars = this.snapshot.bars(job.request.coin)!;
    this.jobs.finish(job, outcome ?? answer({ ...job, bars }), nowMs);
  }

  #serviceOptions(
    options: FixtureOptions,
    endpoints: readonly Endpoint[],
    port: number,
  ): ServiceOptions {
    return {
      accounts: options.wrap?.(this.accounts) ?? this.accounts,
      jobs: this.jobs,
      wakeBacktests: () => this.wakeUps++,
      backtestFault: options.backtestFault,
      checkSlots: new CheckSlots(),
      runCheck: options.runCheck ?? checkRunner({ snapshots: "none" }),
      endpoints,
      tables: options.tables ?? madeUpTables(() => this.snapshot),
      withholdsPrices: options.withholdsPrices,
      tableBytesPerDay: options.tableBytesPerDay,
      open: options.open ?? new Map(),
      site: siteOf({ hasAccounts: options.accountPages !== undefined }),
      accountPages: options.accountPages?.(this, `http://127.0.0.1:${port}`),
      answerAssistant: mcpEndpoint({
        version: "1",
        origin: `http://127.0.0.1:${port}`,
        publicUrl: `http://127.0.0.1:${port}`,
        cors: new CorsPolicy(options.corsOrigins ?? []),
      }),
      publicUrl: `http://127.0.0.1:${port}`,
      corsOrigins: options.corsOrigins ?? [],
      trustedProxies: options.trustedProxies,
      nowMs: this.clock.nowMs,
      monotonicMs: options.monotonicMs ?? this.clock.monotonicMs,
      isReachable: options.isReachable ?? (async () => true),
      meterOf: options.meterOf,
      log: options.log ?? {
        over: (request, reply) => this.over.push({ request, status: reply?.status ?? "" }),
        defect: (request, error) => this.defects.push({ request, error }),
        outage: () => {},
      },
    };
  }

  get origin(): string {
    return `http://127.0.0.1:${this.http.port}`;
  }

  /** A new account's key. */
  async key(plan = "roomy", email = `${plan}@example.com`): Promise<string> {
    return (await this.accountsFixture.account(plan, email, TEST_PLANS)).key;
  }

  /** Sends a request with a key. Nothing is decompressed, followed or retried. */
  get(
    path: string,
    key: string | undefined,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return this.#send(path, key, headers);
  }

  /** Posts a JSON body to a path, with a key. */
  post(
    path: string,
    key: string | undefined,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const sent = { "content-type": "application/json", ...headers };
    return this.#send(path, key, sent, { method: "POST", body: text });
  }

  #send(path: string, key: string | undefined, headers: object, init: RequestInit = {}) {
    const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
    return fetch(this.origin + path, { ...init, headers: { ...authorization, ...headers } });
  }

  async close(): Promise<void> {
    this.http.close();
    await this.accountsFixture.close();
  }
}

/** A snapshot that is listed with two files, and is in no folder. */
function madeUpTables(snapshot: () => SnapshotData): TableFiles {
  const files = ["hindsight.duckdb", "prices.parquet"].map((name, n) => {
    const sha256 = String(n).repeat(64);
    return { name, bytes: 12_270_592, rows: n === 0 ? null : 92_371, sha256 };
  });
  return {
    ids: async () => [snapshot().id],
    open: async () => await Promise.reject(new Error("it is in no folder")),
    async find() {
      const { id, manifest } = snapshot();
      const whole = { ...manifest, id, createdAt: "2025-07-01T00:10:00.000Z", files };
      return { dir: "none", manifest: whole as unknown as Manifest, files: new Map() };
    },
  };
}

/** The store with some of its methods replaced. */
export function changedAccounts(accounts: Accounts, changes: Partial<Accounts>): Accounts {
  return {
    callerOf: (...given) => accounts.callerOf(...given),
    secret: () => accounts.secret(),
    authenticate: (...given) => accounts.authenticate(...given),
    knownCaller: (...given) => accounts.knownCaller(...given),
    admit: (...given) => accounts.admit(...given),
    charge: (request) => accounts.charge(request),
    spend: (spending) => accounts.spend(spending),
    report: (...given) => accounts.report(...given),
    rateUsed: (accountId) => accounts.rateUsed(accountId),
    ping: () => accounts.ping(),
    close: () => accounts.close(),
    ...changes,
  };
}

/** What most tests of the service share. */
export interface SharedServer {
  readonly server: ServerFixture;
  /** The key of an account whose limits are never reached. */
  readonly key: string;
  /** The text of a request with the key, unless the headers contain another. */
  readonly raw: (line: string, headers?: readonly string[]) => string;
}

/** One server for all tests of a file, closed after them. */
export async function sharedServer(options: FixtureOptions = {}): Promise<SharedServer> {
  const server = await ServerFixture.start(options);
  const key = await server.key();
  afterAll(() => server.close());
  beforeEach(() => {
    server.clock.pass(61_000); // so that no test's minute reaches into the next test
  });
  const raw = (line: string, headers: readonly string[] = []) => {
    const own = headers.some((each) => each.startsWith("Authorization")) ? [] : [bearer(key)];
    return requestText(line, [...own, ...headers]);
  };
  return { server, key, raw };
}

/** A query of each kind that the snapshot answers. */
export const READ_QUERIES = [
  "/signals?coin=btc",
  "/signals?coin=btc&date=2021-01-01",
  "/signals",
  "/signals?date=2020-01-01",
  "/history?coin=btc&columns=close,rsi_14&step=month",
  "/buy-hold?coin=sol",
  "/dca?coin=btc",
  "/dca?coin=eth&amount=0.01&frequency=monthly&start_date=2020-02-29",
  "/strategies",
];

/** Runs a test on a server of its own. */
export async function withServer(
  options: FixtureOptions,
  work: (own: ServerFixture) => Promise<void>,
): Promise<void> {
  const own = await ServerFixture.start(options);
  try {
    await work(own);
  } finally {
    await own.close();
  }
}

/** How many calls of its month a key's account has used. */
export function usedBy(server: ServerFixture, key: string): number {
  const caller = callerOf(server.accounts, key, server.clock.nowMs());
  return server.state.ledger.quotaOf(caller, server.clock.nowMs()).used;
}

/** The error in a response, which must have the documented shape. */
export async function errorOf(
  response: Response,
): Promise<{ code: string; message: string; docs_url: string }> {
  const body = (await response.json()) as { error: Awaited<ReturnType<typeof errorOf>> };
  const faults = schemaFaults("", response.status, body);
  if (faults.length > 0) throw new Error(faults.join("; "));
  return body.error;
}

/** The status of a refusal, and the code of its error. */
export async function refusalOf(response: Response): Promise<readonly [number, string]> {
  return [response.status, (await errorOf(response)).code];
}

/** The header line that carries a key. */
export function bearer(key: string): string {
  return `Authorization: Bearer ${key}`;
}
