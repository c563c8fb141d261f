import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./document.ts";
import { JobFailed } from "./errors.ts";
import { repeatingFetch, sleep, type Waits } from "./repeating-fetch.ts";

export * from "./errors.ts";
export type { components, paths } from "./document.ts";

type Schemas = components["schemas"];
type Answer<D = unknown> = { responses: { 200: { content: { "application/json": { data: D } } } } };
type Reads = { [P in keyof paths]: paths[P] extends { get: Answer } ? P : never }[keyof paths];
type DataOf<P extends Reads> = paths[P]["get"] extends Answer<infer D> ? D : never;
type Parameters<P extends Reads> = NonNullable<paths[P]["get"]["parameters"]["query"]> &
  (paths[P]["get"]["parameters"]["path"] extends infer Path extends object ? Path : unknown);
/** Parameters may be left out as a whole if none is required. */
type Given<T> = object extends T ? [given?: T] : [given: T];
type CheckQuery = NonNullable<paths["/check"]["post"]["parameters"]["query"]>;
type File = Blob | Uint8Array<ArrayBuffer> | string;

interface Jobs {
  "/backtests": { body: Schemas["PostBacktestBody"]; result: Schemas["DoneBacktest"]["result"] };
  "/studies": { body: Schemas["PostStudyBody"]; result: Schemas["DoneStudy"]["result"] };
}

export interface Options extends Partial<Waits> {
  readonly key: string;
  /** Address of the API, such as https://example.com/v1 */
  readonly base: string;
}

const JOB_SECONDS = 3600;

/** The API for one key. Errors are thrown, and `data` of an answer is returned. */
export class Hindsight {
  /** The typed client of openapi-fetch, with the key, repeats and errors of this one, for all that has no method here. */
  readonly api: Client<paths, "application/json">;

  constructor({ key, base, timeout = 30, maxWait = 60, cache = true }: Options) {
    if (!key) throw new TypeError("there is no key: give `key`");
    const baseUrl = base.replace(/\/+$/, "");
    if (!/^https?:\/\/.+\/v1$/.test(baseUrl))
      throw new TypeError(`base is "${base}": give one such as https://example.com/v1`);
    const headers = { Authorization: `Bearer ${key}` };
    const fetch = repeatingFetch({ timeout, maxWait, cache });
    this.api = createClient<paths, "application/json">({
      baseUrl,
      headers,
      fetch,
      querySerializer,
    });
  }

  /** What is at a path, such as `get("/dca", { coin: "btc" })`. */
  async get<P extends Reads>(path: P, ...given: Given<Parameters<P>>): Promise<DataOf<P>> {
    const { data } = await this.#call("GET", path, {
      params: { path: given[0], query: inQuery(path, given[0]) },
    });
    return data as DataOf<P>;
  }

  /** How far a Sharpe ratio may be luck, from figures alone. */
  async overfitting(body: Schemas["PostOverfittingBody"]): Promise<Schemas["PostOverfittingData"]> {
    return (await this.#call("POST", "/overfitting", { body }))
      .data as Schemas["PostOverfittingData"];
  }

  /** How much of a backtest may be luck: of the content of a file, and of what it did live if there is a second one. */
  async check(
    backtest: File,
    { live, ...query }: CheckQuery & { live?: File } = {},
  ): Promise<Schemas["PostCheckData"]> {
    const form = new FormData();
    form.append("backtest", new Blob([backtest]));
    if (live !== undefined) form.append("live", new Blob([live]));
    const bodySerializer = () => (live === undefined ? new Blob([backtest]) : form);
    const { data } = await this.#call("POST", "/check", {
      params: { query },
      body: form,
      bodySerializer,
    });
    return data as Schemas["PostCheckData"];
  }

  /** Starts a backtest or a study. A repeat of the request after a lost connection does not start another. */
  async start<P extends keyof Jobs>(path: P, body: Jobs[P]["body"]): Promise<number> {
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    return ((await this.#call("POST", path, { body, headers })).data as Schemas["PostBacktestData"])
      .job_id;
  }

  /** Starts a backtest or a study and waits for its result. */
  async job<P extends keyof Jobs>(path: P, body: Jobs[P]["body"]): Promise<Jobs[P]["result"]> {
    return await this.result(path, await this.start(path, body));
  }

  /** Waits for the result of a job, asking as often as the server suggests. */
  async result<P extends keyof Jobs>(
    path: P,
    id: number,
    maxSeconds = JOB_SECONDS,
  ): Promise<Jobs[P]["result"]> {
    for (const until = Date.now() + maxSeconds * 1000; ;) {
      const { data, response } = await this.#call("GET", `${path}/${id}`);
      const job = data as Schemas["BacktestData"] | Schemas["StudyData"];
      if (job.status === "done") return job.result;
      if (job.status === "error") throw new JobFailed(200, job.error);
      const wait = Number(response.headers.get("Retry-After") ?? 1);
      if (Date.now() + wait * 1000 > until)
        throw new Error(`${path}/${id} is ${job.status} after ${maxSeconds} s`);
      await sleep(wait);
    }
  }

  /** A link to a table of the current snapshot, for any reader of Parquet. */
  async table(name: string, { hours = 24 } = {}): Promise<string> {
    const { files } = await this.get("/snapshots", { hours });
    const links = new Map(
      files.flatMap((each) => (each.name.endsWith(".parquet") ? [[each.table, each.url]] : [])),
    );
    const link = links.get(name);
    if (link !== undefined) return link;
    throw new RangeError(`there is no table "${name}"; there are: ${[...links.keys()].join(", ")}`);
  }

  async #call(
    method: "GET" | "POST",
    path: string,
    init: object = {},
  ): Promise<{ data: unknown; response: Response }> {
    const call = this.api[method] as (
      path: string,
      init: object,
    ) => Promise<{ data?: { data: unknown }; response: Response }>;
    const { data, response } = await call(path, init);
    return { data: data?.data, response };
  }
}

const inQuery = (path: string, given: object = {}): object =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !path.includes(`{${name}}`)));

/** Lists with commas, as the API reads them, but names of columns, which may have commas, one by one. */
function querySerializer(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    const apart: unknown[] = name.endsWith("leave_out") && Array.isArray(value) ? value : [value];
    return apart.filter((each) => each !== undefined).map((each) => [name, String(each as number)]);
  });
  return new URLSearchParams(pairs).toString();
}
