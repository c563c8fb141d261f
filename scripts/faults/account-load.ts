import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { CATALOGUE } from "../../quant/strategies/catalogue.ts";
import type { Answer, Sent } from "../support/ask.ts";
import type { MadeAccount } from "../support/made-accounts.ts";
import type { JsonClient } from "./json-client.ts";
import { WILD_ERROR, WILD_RUN } from "./wild-market.ts";

const READ_SHARE = 0.4;
const POLL_SHARE = 0.2;
/** The shares of submissions that have an Idempotency-Key, and of those that repeat a key. */
const KEYED_SHARE = 0.6;
const REPEAT_SHARE = 0.4;
/** The share of submissions that end in error, where the market has the coin for it. */
const WILD_SHARE = 0.1;
/** The share of submissions that are studies, and their sizes: as dear as one backtest, or as two. */
const STUDY_SHARE = 0.4;
const STUDY_SETS = [2, 101] as const;
/** The most backtests that one submission costs as much as. */
export const RUNS_MAX = 2;
const SETS_PER_RUN = 100;
const START_DATE = "2022-01-01";
/** Studies are of a month and a half, so that they take no longer than a backtest. */
const STUDY_END_DATE = "2022-02-14";
/** Polls are of the latest jobs. */
const POLLED_MAX = 10;
const TRIES_MAX = 10_000;
const TRY_EVERY_MS = 5;
const CHECK_TRIES_MAX = 100;
/** Requests at once during the final check. */
const CHECK_LANES = 8;
/** The status of a job comes before its result, within this many characters. */
const HEAD_CHARACTERS = 1_000;

const NO_COUNTS = {
  reads: 0,
  readsLost: 0,
  submitted: 0,
  submissionsLost: 0,
  repeated: 0,
  overCap: 0,
  unavailable: 0,
};

interface AccountLoadOptions {
  readonly account: Pick<MadeAccount, "id" | "key">;
  readonly client: JsonClient;
  readonly uniform: () => number;
  /** The average pause between an answer and the next request of a lane. */
  readonly pauseMs?: number;
  /** Whether the market has the coin whose backtests end in error (`snapshotsOrWild`). */
  readonly hasWildCoin?: boolean;
  /** The share of submissions with an Idempotency-Key. With 1, `settle` learns of every job. */
  readonly keyedShare?: number;
}

interface Submission {
  readonly path: "/v1/backtests" | "/v1/studies";
  readonly body: object;
  /** The Idempotency-Key, if it has one. */
  readonly key?: string;
  jobId?: number;
  /** Whether an answer was lost, so that there may be a job that no client knows. */
  isLost?: boolean;
}

/** The requests of one account and the answers it got, which are compared with the usage that the server counted. */
export class AccountLoad {
  readonly account: Pick<MadeAccount, "id" | "key">;
  readonly counts = { ...NO_COUNTS };
  /** Jobs by their ids, with the paths at which they are polled. */
  readonly jobs = new Map<number, string>();
  /** How many of the jobs `check` found done, and how many backtests these cost as much as. */
  done = 0;
  doneRuns = 0;
  /** The jobs that a poll has seen done. */
  readonly ended = new Set<number>();
  readonly faults: string[] = [];
  /** The last answer of `GET /usage`. */
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are read as a stranger would: untyped
  usage: any;
  readonly #options: Required<AccountLoadOptions>;
  readonly #keyed: Submission[] = [];

  constructor(options: AccountLoadOptions) {
    this.account = options.account;
    this.#options = { pauseMs: 0, hasWildCoin: false, keyedShare: KEYED_SHARE, ...options };
  }

  /** Sends one request after another until `goOn` says no or the server is gone. */
  async run(origin: string, goOn: () => boolean): Promise<void> {
    const { uniform, pauseMs } = this.#options;
    while (goOn()) {
      const drawn = uniform();
      const answered =
        drawn < READ_SHARE
          ? await this.#read(origin)
          : drawn < READ_SHARE + POLL_SHARE
            ? await this.#poll(origin)
            : await this.#submit(origin, this.#nextSubmission());
      if (!answered) return;
      if (pauseMs > 0) await sleep(2 * uniform() * pauseMs);
    }
  }

  /** Repeats every submission with a key whose answer was lost, until it is known what became of it. */
  async settle(origin: string): Promise<void> {
    for (const submission of this.#keyed) {
      await this.#repeat(origin, submission, () => submission.isLost !== true);
      if (submission.isLost === true)
        this.faults.push(`what became of key ${submission.key} was never answered`);
    }
  }

  /** Submits a backtest that ends in error, until it is accepted, so that there is a refund to see. */
  async fail(origin: string): Promise<void> {
    const submission = this.#withKey(wildBacktest());
    await this.#repeat(origin, submission, () => submission.jobId !== undefined);
    if (submission.jobId === undefined)
      this.faults.push("a backtest that fails was never accepted");
  }

  async #repeat(origin: string, submission: Submission, isOver: () => boolean): Promise<void> {
    for (let tries = 0; !isOver() && tries < TRIES_MAX; tries++) {
      await this.#submit(origin, submission);
      if (!isOver()) await sleep(TRY_EVERY_MS);
    }
  }

  /** Looks at each of the account's jobs. `seen` holds results by request: equal requests must give the same bytes. */
  async check(origin: string, seen: Map<string, string>): Promise<void> {
    const left = [...this.jobs];
    const lane = async () => {
      for (let job = left.pop(); job !== undefined; job = left.pop()) {
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

  /** Reads what the account has used into `usage`, and returns how many of its jobs are under way. */
  async readUsage(origin: string): Promise<number> {
    const { status, body } = await this.#askUntilAnswered(origin, "/v1/usage");
    if (status === 200) this.usage = body.data;
    else this.faults.push(`the usage is answered ${status}`);
    return this.usage?.backtests_running as number;
  }

  /** Tries again while a server answers 503 because it is short of time. */
  async #askUntilAnswered(origin: string, path: string): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      const answer = await this.#send(origin, path);
      if (answer.status !== 503 || tries === CHECK_TRIES_MAX) return answer;
      await sleep(TRY_EVERY_MS);
    }
  }

  #send(origin: string, path: string, sent: Sent = {}): Promise<Answer> {
    return this.#options.client.send(origin, path, { key: this.account.key, ...sent });
  }

  /** The answer, or undefined if the server is gone. */
  #sent(origin: string, path: string, sent: Sent = {}): Promise<Answer | undefined> {
    return this.#send(origin, path, sent).catch(() => undefined);
  }

  async #read(origin: string): Promise<boolean> {
    const answer = await this.#sent(origin, "/v1/signals?coin=btc");
    if (answer === undefined) this.counts.readsLost++;
    else if (answer.status === 200) this.counts.reads++;
    else this.#unexpected(answer.status, "a read");
    return answer !== undefined;
  }

  async #poll(origin: string): Promise<boolean> {
    const job = this.#oneOf([...this.jobs].slice(-POLLED_MAX));
    if (job === undefined) return true;
    const [jobId, path] = job;
    const answer = await this.#sent(origin, `${path}/${jobId}`);
    if (answer === undefined) return false;
    const head = answer.text.slice(0, HEAD_CHARACTERS);
    if (answer.status !== 200) this.#unexpected(answer.status, `a poll of ${jobId}`);
    else if (head.includes('"status":"done"')) {
      if (head.includes('"result":null')) this.faults.push(`job ${jobId} is done without a result`);
      else this.ended.add(jobId);
    }
    return true;
  }

  #nextSubmission(): Submission {
    const { uniform, keyedShare } = this.#options;
    if (uniform() >= keyedShare) return this.#newRequest();
    const known = this.#oneOf(this.#keyed);
    if (known !== undefined && uniform() < REPEAT_SHARE) return known;
    return this.#withKey(this.#newRequest());
  }

  #withKey(submission: Submission): Submission {
    const keyed = { ...submission, key: `${this.account.id}-${this.#keyed.length}` };
    this.#keyed.push(keyed);
    return keyed;
  }

  #newRequest(): Submission {
    const { uniform, hasWildCoin } = this.#options;
    if (hasWildCoin && uniform() < WILD_SHARE) return wildBacktest();
    const coin = uniform() < 0.5 ? "btc" : "eth";
    if (uniform() < STUDY_SHARE) return studyOf(coin, this.#oneOf(STUDY_SETS)!); // there are two
    const body = { strategy: this.#oneOf(CATALOGUE)!.name, coin, start_date: START_DATE };
    return { path: "/v1/backtests", body };
  }

  #oneOf<T>(values: readonly T[]): T | undefined {
    return values[Math.floor(this.#options.uniform() * values.length)];
  }

  async #submit(origin: string, submission: Submission): Promise<boolean> {
    const { path, body, key } = submission;
    const headers = key === undefined ? {} : { "idempotency-key": key };
    const answer = await this.#sent(origin, path, { body, headers });
    if (answer === undefined) {
      if (key === undefined) this.counts.submissionsLost++;
      else submission.isLost = true; // `settle` sends it again, so that in the end every job with a key is known
      return false;
    }
    // A 503 says nothing about what became of an earlier request with the same key.
    if (answer.status !== 503) submission.isLost = false;
    if (answer.status === 200) this.#accepted(submission, answer.body.data.job_id as number);
    else if (answer.status === 429 && answer.body.error.code === "concurrency_exceeded")
      this.counts.overCap++;
    else this.#unexpected(answer.status, "a submission");
    return true;
  }

  #accepted(submission: Submission, jobId: number): void {
    if (this.jobs.has(jobId)) this.counts.repeated++;
    else this.counts.submitted++;
    this.jobs.set(jobId, submission.path);
    if (submission.jobId !== undefined && submission.jobId !== jobId)
      this.faults.push(`key ${submission.key} made jobs ${submission.jobId} and ${jobId}`);
    submission.jobId = jobId;
  }

  #unexpected(status: number, what: string): void {
    if (status === 503) this.counts.unavailable++;
    else this.faults.push(`${what} was answered ${status}`);
  }
}

const wildBacktest = (): Submission => ({
  path: "/v1/backtests",
  body: { ...WILD_RUN, start_date: START_DATE },
});

function studyOf(coin: string, sets: number): Submission {
  const parameters = { lookback: { from: 10, to: 9 + sets, step: 1 } };
  const days = { start_date: START_DATE, end_date: STUDY_END_DATE };
  return {
    path: "/v1/studies",
    body: { strategy: "time_series_momentum", coin, parameters, ...days },
  };
}

// oxlint-disable-next-line typescript/no-explicit-any -- answers are read as a stranger would: untyped
function endFaults(data: any, seen: Map<string, string>): readonly string[] {
  const { job_id: id, status, error, request, result } = data;
  const isWild = request.coin === WILD_RUN.coin;
  if (status === "error" && isWild && error.code === WILD_ERROR) return [];
  if (status !== "done" || isWild)
    return [`job ${id} of ${request.coin} is ${status}, ${error?.code ?? "without an error"}`];
  if (result === null) return [`job ${id} is done without a result`];
  // The number of trials of a study counts the sets of the account's studies before it.
  const asked = JSON.stringify([request, data.attribution.snapshot, result.n_trials]);
  const got = createHash("sha256").update(JSON.stringify(result)).digest("hex");
  const before = seen.get(asked);
  seen.set(asked, got);
  if (before === undefined || before === got) return [];
  return [`job ${id} has another result than one like it`];
}
