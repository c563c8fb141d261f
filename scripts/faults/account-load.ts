import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { CATALOGUE } from "../../quant/strategies/catalogue.ts";
import type { Answer, JsonClient } from "./json-client.ts";
import type { MadeAccount } from "../support/made-accounts.ts";
import { WILD_ERROR, WILD_RUN } from "./wild-market.ts";

const READ_SHARE = 0.4;
const POLL_SHARE = 0.2;
/** Shares of submissions: those with an Idempotency-Key, and those that repeat a key. */
const KEYED_SHARE = 0.6;
const REPEAT_SHARE = 0.4;
/** Share of submissions that end in error, where the market has the coin for it. */
const WILD_SHARE = 0.1;
/** Share of submissions that are studies, and how many sets these have: as dear as one backtest, or as two. */
const STUDY_SHARE = 0.4;
const STUDY_SETS = [2, 101] as const;
/** A submission is never dearer than so many backtests. */
export const RUNS_MAX = 2;
const SETS_PER_RUN = 100;
const START_DATE = "2022-01-01";
/** Studies are of a month and a half, so that they take no longer than a backtest. */
const STUDY_END_DATE = "2022-02-14";
/** Polls ask for the latest jobs. */
const POLLED_MAX = 10;
const SETTLE_TRIES_MAX = 10_000;
const SETTLE_PAUSE_MS = 5;
const CHECK_TRIES_MAX = 100;
/** Requests at once during the final check. */
const CHECK_LANES = 8;

const NO_COUNTS = {
  reads: 0,
  readsLost: 0,
  submitted: 0,
  submissionsLost: 0,
  repeated: 0,
  overCap: 0,
  unavailable: 0,
};

type LoadCounts = typeof NO_COUNTS;

interface AccountLoadOptions {
  readonly account: Pick<MadeAccount, "id" | "key">;
  readonly client: JsonClient;
  readonly uniform: () => number;
  /** The average pause between an answer and the next request of a lane. */
  readonly pauseMs?: number;
  /** Whether the snapshot is of `snapshotsOrWild`. */
  readonly hasWildCoin?: boolean;
  /** The share of submissions with an Idempotency-Key; with 1, `settle` learns of every job. */
  readonly keyedShare?: number;
}

interface Submitted {
  readonly path: "/v1/backtests" | "/v1/studies";
  readonly body: object;
}

interface KeyedRequest extends Submitted {
  readonly key: string;
  /** Known once the request was answered. */
  jobId: number | undefined;
  /** Whether an answer was lost: there may then be a job that no client knows. */
  lost: boolean;
}

/** One account's requests and the answers it got, with which the server's usage is compared. */
export class AccountLoad {
  readonly account: Pick<MadeAccount, "id" | "key">;
  readonly counts: LoadCounts = { ...NO_COUNTS };
  /** Jobs the account was told of, with where they are polled. */
  readonly jobs = new Map<number, string>();
  /** How many of them `check` found done, and how many backtests these cost as much as. */
  done = 0;
  doneRuns = 0;
  /** Jobs that a poll has seen done. */
  readonly ended = new Set<number>();
  readonly faults: string[] = [];
  readonly #client: JsonClient;
  readonly #uniform: () => number;
  readonly #pauseMs: number;
  readonly #wildShare: number;
  readonly #keyedShare: number;
  /** The last answer of `GET /usage`; undefined if it was not asked. */
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are read as a stranger would: untyped
  usage: any;
  readonly #keyed: KeyedRequest[] = [];

  constructor(options: AccountLoadOptions) {
    const { account, client, uniform, pauseMs = 0, hasWildCoin = false } = options;
    this.account = account;
    this.#keyedShare = options.keyedShare ?? KEYED_SHARE;
    this.#client = client;
    this.#uniform = uniform;
    this.#pauseMs = pauseMs;
    this.#wildShare = hasWildCoin ? WILD_SHARE : 0;
  }

  /** Sends one request after another until `goOn` says no or the server is gone. */
  async run(origin: string, goOn: () => boolean): Promise<void> {
    while (goOn()) {
      const drawn = this.#uniform();
      const gone =
        drawn < READ_SHARE
          ? await this.#read(origin)
          : drawn < READ_SHARE + POLL_SHARE
            ? await this.#poll(origin)
            : await this.#submit(origin);
      if (gone) return;
      if (this.#pauseMs > 0) await sleep(2 * this.#uniform() * this.#pauseMs);
    }
  }

  /** Repeats every keyed request whose answer was lost, until it is known what became of it. */
  async settle(origin: string): Promise<void> {
    for (const request of this.#keyed) {
      for (let tries = 0; request.lost && tries < SETTLE_TRIES_MAX; tries++) {
        await this.#sendKeyed(origin, request);
        if (request.lost) await sleep(SETTLE_PAUSE_MS);
      }
      if (request.lost) this.faults.push(`what became of key ${request.key} was never answered`);
    }
  }

  /** Submits a backtest that ends in error, until it is accepted: then there is a refund to see. */
  async fail(origin: string): Promise<void> {
    const request = this.#newKeyed(wildBacktest());
    for (let tries = 0; request.jobId === undefined && tries < SETTLE_TRIES_MAX; tries++) {
      await this.#sendKeyed(origin, request);
      await sleep(SETTLE_PAUSE_MS);
    }
    if (request.jobId === undefined) this.faults.push("a backtest that fails was never accepted");
  }

  /** Asks for each of the account's jobs. `seen` holds results by request: equal requests must give the same bytes. */
  async check(origin: string, seen: Map<string, string>): Promise<void> {
    const asked = [...this.jobs];
    const lane = async () => {
      for (let job = asked.pop(); job !== undefined; job = asked.pop()) {
        const [jobId, path] = job;
        const { status, body } = await this.#askUntilAnswered(origin, `${path}/${jobId}`);
        if (status !== 200) this.faults.push(`job ${jobId} is answered ${status}`);
        else this.faults.push(...endFaults(body.data, seen));
        if (body.data?.status !== "done") continue;
        this.done++;
        this.doneRuns += Math.ceil((body.data.result.sets ?? 1) / SETS_PER_RUN);
      }
    };
    await Promise.all(Array.from({ length: CHECK_LANES }, lane));
  }

  /** Asks what the account has used. */
  async readUsage(origin: string): Promise<void> {
    const { status, body } = await this.#askUntilAnswered(origin, "/v1/usage");
    if (status === 200) this.usage = body.data;
    else this.faults.push(`the usage is answered ${status}`);
  }

  /** A server short of time answers 503; asks again after the time it names. */
  async #askUntilAnswered(origin: string, path: string): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      const answer = await this.#ask(origin, path);
      if (answer.status !== 503 || tries === CHECK_TRIES_MAX) return answer;
      await sleep(SETTLE_PAUSE_MS);
    }
  }

  #ask(origin: string, path: string): Promise<Answer> {
    return this.#client.send({ origin, path, key: this.account.key });
  }

  async #read(origin: string): Promise<boolean> {
    try {
      const { status } = await this.#ask(origin, "/v1/signals?coin=btc");
      if (status === 200) this.counts.reads++;
      else this.#unexpected(status, "a read");
      return false;
    } catch {
      this.counts.readsLost++;
      return true;
    }
  }

  async #poll(origin: string): Promise<boolean> {
    const recent = [...this.jobs].slice(-POLLED_MAX);
    const polled = recent[Math.floor(this.#uniform() * recent.length)];
    if (polled === undefined) return false;
    const [jobId, path] = polled;
    try {
      const { status, head } = await this.#ask(origin, `${path}/${jobId}`);
      if (status !== 200) this.#unexpected(status, `a poll of ${jobId}`);
      else if (head.includes('"status":"done"') && head.includes('"result":null')) {
        this.faults.push(`job ${jobId} is done without a result`);
      } else if (head.includes('"status":"done"')) {
        this.ended.add(jobId);
      }
      return false;
    } catch {
      return true;
    }
  }

  async #submit(origin: string): Promise<boolean> {
    if (this.#uniform() >= this.#keyedShare) return await this.#sendPlain(origin);
    const known = this.#keyed[Math.floor(this.#uniform() * this.#keyed.length)];
    if (known !== undefined && this.#uniform() < REPEAT_SHARE) {
      return await this.#sendKeyed(origin, known);
    }
    return await this.#sendKeyed(origin, this.#newKeyed(this.#request()));
  }

  #newKeyed(submitted: Submitted): KeyedRequest {
    const key = `${this.account.id}-${this.#keyed.length}`;
    const request = { key, ...submitted, jobId: undefined, lost: false };
    this.#keyed.push(request);
    return request;
  }

  #request(): Submitted {
    if (this.#wildShare > 0 && this.#uniform() < this.#wildShare) return wildBacktest();
    const coin = this.#uniform() < 0.5 ? "btc" : "eth";
    if (this.#uniform() < STUDY_SHARE) {
      return studyOf(coin, STUDY_SETS[Math.floor(this.#uniform() * STUDY_SETS.length)]!); // one of them
    }
    const index = Math.floor(this.#uniform() * CATALOGUE.length);
    const body = { strategy: CATALOGUE[index]?.name, coin, start_date: START_DATE };
    return { path: "/v1/backtests", body };
  }

  async #sendPlain(origin: string): Promise<boolean> {
    try {
      const request = this.#request();
      this.#noteSubmission(await this.#post(origin, request, {}), request);
      return false;
    } catch {
      this.counts.submissionsLost++;
      return true;
    }
  }

  async #sendKeyed(origin: string, request: KeyedRequest): Promise<boolean> {
    let answer: Answer;
    try {
      answer = await this.#post(origin, request, { "idempotency-key": request.key });
    } catch {
      request.lost = true; // `settle` asks again, so that in the end every job with a key is known
      return true;
    }
    const jobId = this.#noteSubmission(answer, request);
    // A 503 says nothing about what became of the earlier request.
    if (answer.status !== 503) request.lost = false;
    if (jobId === undefined) return false;
    if (request.jobId !== undefined && request.jobId !== jobId) {
      this.faults.push(`key ${request.key} made jobs ${request.jobId} and ${jobId}`);
    }
    request.jobId = jobId;
    return false;
  }

  #post(
    origin: string,
    { path, body }: Submitted,
    headers: Readonly<Record<string, string>>,
  ): Promise<Answer> {
    return this.#client.send({ origin, path, key: this.account.key, body, headers });
  }

  #noteSubmission({ status, body }: Answer, { path }: Submitted): number | undefined {
    if (status === 200) {
      const jobId = body.data.job_id as number;
      if (this.jobs.has(jobId)) {
        this.counts.repeated++;
      } else {
        this.counts.submitted++;
        this.jobs.set(jobId, path);
      }
      return jobId;
    }
    if (status === 429 && body.error.code === "concurrency_exceeded") this.counts.overCap++;
    else this.#unexpected(status, "a submission");
    return undefined;
  }

  #unexpected(status: number, what: string): void {
    if (status === 503) this.counts.unavailable++;
    else this.faults.push(`${what} was answered ${status}`);
  }
}

const wildBacktest = (): Submitted => ({
  path: "/v1/backtests",
  body: { ...WILD_RUN, start_date: START_DATE },
});

function studyOf(coin: string, sets: number): Submitted {
  const parameters = { lookback: { from: 10, to: 9 + sets, step: 1 } };
  const days = { start_date: START_DATE, end_date: STUDY_END_DATE };
  return {
    path: "/v1/studies",
    body: { strategy: "time_series_momentum", coin, parameters, ...days },
  };
}

/** What several accounts were answered, added up, and the same in words. */
export function totalOf(loads: readonly AccountLoad[]): { counts: LoadCounts; text: string } {
  const counts = { ...NO_COUNTS };
  for (const name of Object.keys(counts) as (keyof LoadCounts)[]) {
    for (const load of loads) counts[name] += load.counts[name];
  }
  const lost = counts.readsLost + counts.submissionsLost;
  const text = `${counts.reads} reads, ${counts.submitted} submissions accepted, ${counts.repeated} repeats, ${counts.overCap} over the cap, ${counts.unavailable} answered 503, ${lost} answers lost`;
  return { counts, text };
}

// oxlint-disable-next-line typescript/no-explicit-any -- answers are read as a stranger would: untyped
function endFaults(data: any, seen: Map<string, string>): readonly string[] {
  const { job_id: id, status, error, request } = data;
  const isWild = request.coin === WILD_RUN.coin;
  if (status === "done" && !isWild) return differing(data, seen);
  if (status === "error" && isWild && error.code === WILD_ERROR) return [];
  return [`job ${id} of ${request.coin} is ${status}, ${error?.code ?? "without an error"}`];
}

// oxlint-disable-next-line typescript/no-explicit-any -- answers are read as a stranger would: untyped
function differing(data: any, seen: Map<string, string>): readonly string[] {
  if (data.result === null) return [`job ${data.job_id} is done without a result`];
  // A study counts the sets of the account's studies before it.
  const { n_trials: trials } = data.result;
  const asked = JSON.stringify([data.request, data.attribution.snapshot, trials]);
  const got = createHash("sha256").update(JSON.stringify(data.result)).digest("hex");
  const before = seen.get(asked);
  seen.set(asked, got);
  if (before === undefined || before === got) return [];
  return [`job ${data.job_id} has another result than one like it`];
}
