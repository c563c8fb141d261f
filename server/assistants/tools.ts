import { setTimeout as sleep } from "node:timers/promises";
import { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { ApiRefused, type ApiAnswer, type CallApi } from "./api-call.ts";
import { fitted } from "./fitted.ts";

/** How a backtest is checked that is not sent: by its path on this machine. */
export type CheckPath = (
  path: string,
  options: { readonly n_trials: number; readonly coin?: string | undefined },
) => Promise<ApiAnswer>;

export interface ToolsOptions {
  readonly version: string;
  readonly call: CallApi;
  /** Given where the tools run on the user's machine. */
  readonly checkPath?: CheckPath | undefined;
}

/** How long a run is waited for before its id is the answer. */
const WAIT_MS = 20_000;
const STEP_MS = 500;
const CSV_MAX = 200 * 1024;

const INSTRUCTIONS =
  "How crypto strategies really did, and how much of a good backtest is luck. Say the first sentence of an answer as it is: " +
  "it claims no more than its evidence. Count every variant that was ever tried as n_trials.";

const detail = z.enum(["concise", "full"]).default("concise");
const fields = z.string().optional().describe("members wanted, by comma");
const coin = z.string().describe("ticker, as btc");
const date = z.string().optional().describe("YYYY-MM-DD");
const number = (value: unknown, digits = 2) =>
  typeof value === "number" ? value.toFixed(digits) : "none";

/** The tools of assistants, each of which is a call of the API. */
export function toolServer({ version, call, checkPath }: ToolsOptions): McpServer {
  const server = new McpServer(
    { name: "hindsight-backtests", version },
    { instructions: INSTRUCTIONS },
  );

  function tool<Input extends z.ZodRawShape>(
    name: string,
    about: { description: string; input: Input; writes?: boolean },
    run: (input: z.output<z.ZodObject<Input>>) => Promise<string>,
  ): void {
    const { description, input, writes = false } = about;
    const annotations = { readOnlyHint: !writes, openWorldHint: false };
    const inputSchema = z.object(input);
    server.registerTool(name, { description, inputSchema, annotations }, async (sent) => {
      try {
        return { content: [{ type: "text", text: await run(sent as never) }] };
      } catch (error) {
        if (!(error instanceof ApiRefused)) throw error;
        return { content: [{ type: "text", text: error.message }], isError: true };
      }
    });
  }

  const trials = z.int().min(1).describe("variants ever tried, all of them");
  const checked = { n_trials: trials, coin: coin.optional(), detail, fields };
  const verdictOf = (answer: ApiAnswer, asked: Asked) =>
    fitted((answer.data!["verdict"] as { sentence: string }).sentence, only(answer, asked, CHECK));
  const about =
    "Is a backtest skill or luck? Deflated Sharpe ratio and family-wise tests of the returns, equity or trades that a tool wrote.";
  if (checkPath === undefined) {
    const csv = z.string().max(CSV_MAX).describe("the file's text");
    tool("check_backtest", { description: about, input: { csv, ...checked } }, async (input) => {
      const { csv: body, n_trials, coin: traded } = input;
      return verdictOf(await call("/check", { query: { n_trials, coin: traded }, body }), input);
    });
  } else {
    const path = z.string().describe("of the file; it is read here and not sent");
    tool("check_backtest", { description: about, input: { path, ...checked } }, async (input) =>
      verdictOf(await checkPath(input.path, input), input),
    );
  }

  tool(
    "luck",
    {
      description:
        "How high a Sharpe ratio luck alone reaches, and what came after such ones here.",
      input: {
        sharpe: z.number().describe("a year"),
        length_days: z.number(),
        n_trials: trials,
        detail,
        fields,
      },
    },
    async ({ sharpe, length_days, n_trials, ...asked }) => {
      const answer = await call("/overfitting", { body: { sharpe, length_days, n_trials } });
      const rates = await call("/base-rates", { query: { sharpe, length_days } });
      const { afterwards, afterwards_note } = rates.data!;
      const data = { ...answer.data, afterwards, afterwards_note };
      const said = String(answer.data!["verdict_sentence"]);
      return fitted(said, only({ ...answer, data }, asked, LUCK));
    },
  );

  tool(
    "outcome",
    {
      description: "What holding a coin, or buying some at regular intervals, came to.",
      input: {
        coin,
        plan: z.enum(["hold", "dca"]),
        start_date: z.string().describe("YYYY-MM-DD"),
        end_date: date,
        amount: z.number().default(100).describe("dollars a purchase, of dca"),
        frequency: z.enum(["daily", "weekly", "monthly"]).default("monthly"),
      },
    },
    async ({ plan, amount, frequency, ...query }) => {
      if (plan === "hold") {
        const answer = await call("/buy-hold", { query: { ...query, fields: "coin,window" } });
        const window = answer.data!["window"] as Record<string, unknown>;
        const held = `${query.coin} held from ${window["entry_date"]} to ${window["end_date"]}`;
        const came = `made ${number(window["return_pct"])} %, and was ${number(window["max_drawdown_pct"])} % below its high at worst`;
        return fitted(`${held} ${came}.`, answer);
      }
      const answer = await call("/dca", { query: { ...query, amount, frequency } });
      const { invested_usd, value_usd, purchases } = answer.data!;
      return fitted(
        `${purchases} purchases of ${query.coin} for ${number(invested_usd)} dollars were worth ${number(value_usd)} at the end.`,
        answer,
      );
    },
  );

  tool(
    "signals",
    {
      description: "A coin's rating from 26 indicators. No rating has told what comes next.",
      input: { coin, detail, fields },
    },
    async ({ coin: ticker, ...asked }) => {
      const answer = await call("/signals", {
        query: { coin: ticker, fields: wanted(asked, SIGNALS) },
      });
      const { date: day, summary } = (answer.data!["signal"] ?? {}) as Signal;
      const said = summary === undefined ? "" : `${ticker} was rated ${summary.rating} on ${day}.`;
      return fitted(said, answer);
    },
  );

  tool(
    "overfitting_index",
    {
      description:
        "The monthly Crypto Overfitting Index: 50 is where the best backtest is a coin flip.",
      input: { detail, fields },
    },
    async (asked) => {
      const answer = await call("/overfitting-index", { query: { fields: wanted(asked, INDEX) } });
      const now = answer.data!["current"] as Record<string, unknown> | undefined;
      const stands = now?.["stands_out"] === true ? "stands out from" : "does not stand out from";
      const said =
        now === undefined
          ? ""
          : `In ${now["month"]} it was ${number(now["value"], 1)}, which ${stands} luck.`;
      return fitted(said, answer);
    },
  );

  tool(
    "run_strategy",
    {
      description:
        "Runs a strategy on a coin, after costs, and says how much of it luck explains. Without a strategy: the catalogue. With lists of parameters: a study of all their sets.",
      writes: true,
      input: {
        strategy: z.string().optional(),
        coin: coin.optional(),
        start_date: date,
        end_date: date,
        parameters: z
          .record(z.string(), z.union([z.number(), z.array(z.number())]))
          .optional()
          .describe("name: value, or a list of values for a study"),
        job: z.string().optional().describe("as an earlier answer gave it"),
        detail,
        fields,
      },
    },
    async ({ strategy, job, detail: size, fields: members, ...body }) => {
      const asked = { detail: size, fields: members };
      if (job !== undefined) return await finished(call, job, asked);
      if (strategy === undefined) {
        const answer = await call("/strategies", { query: { fields: wanted(asked, CATALOGUE) } });
        return fitted("The strategies that can be run.", answer);
      }
      const isStudy = Object.values(body.parameters ?? {}).some(Array.isArray);
      const kind = isStudy ? "studies" : "backtests";
      const { data } = await call(`/${kind}`, { body: { strategy, ...body } });
      return await finished(call, `${kind}/${String(data!["job_id"])}`, asked);
    },
  );
  return server;
}

interface Signal {
  readonly date?: string;
  readonly summary?: { readonly rating: string };
}

interface Asked {
  readonly detail: "concise" | "full";
  readonly fields?: string | undefined;
}

/** The members of a concise answer, as `fields` names them. */
const CHECK = "verdict,input.bars,input.variants,input.first,input.last,trials.n,trials.dsr";
const LUCK =
  "verdict,expected_max_sharpe,deflated_sharpe_ratio,fwer_p_value,break_even_trials,afterwards,afterwards_note";
const SIGNALS = "signal.name,signal.date,signal.close_usd,signal.summary";
const INDEX =
  "current.month,current.value,current.low,current.high,current.stands_out,current.luck_share";
const CATALOGUE =
  "templates.name,templates.title,templates.parameters.name,templates.parameters.default";

/** What `fields` asks the API for; undefined for all. */
function wanted({ detail: size, fields: members }: Asked, concise: string): string | undefined {
  return members ?? (size === "concise" ? concise : undefined);
}

/** The same of an answer to a POST, which takes no `fields`. */
function only(answer: ApiAnswer, asked: Asked, concise: string): ApiAnswer {
  const paths = wanted(asked, concise)?.split(",");
  if (paths === undefined) return answer;
  const { attribution } = answer.data!;
  const data: Record<string, unknown> = { attribution };
  for (const [name, inner] of paths.map((path) => path.trim().split("."))) {
    const value = answer.data![name!];
    if (value === undefined) throw new ApiRefused(`there is no member "${name}" in this answer`);
    if (inner === undefined) data[name!] = value;
    else
      data[name!] = {
        ...(data[name!] as object),
        [inner]: (value as Record<string, unknown>)?.[inner],
      };
  }
  return { ...answer, data };
}

/** The result of a job, or after some time what to ask for again. */
async function finished(call: CallApi, job: string, asked: Asked): Promise<string> {
  if (!/^(?:backtests|studies)\/\d+$/.test(job)) {
    throw new ApiRefused(
      `"job" is such as "backtests/123", got ${JSON.stringify(job.slice(0, 40))}`,
    );
  }
  const until = performance.now() + WAIT_MS;
  for (;;) {
    const answer = await call(`/${job}`);
    const { status, result, error } = answer.data as unknown as Job;
    if (status === "failed") throw new ApiRefused(error!.message);
    if (status === "done")
      return resultWords(
        { ...answer, data: { attribution: answer.data!["attribution"], ...result } },
        asked,
      );
    if (performance.now() > until) return `It is ${status}: ask again with job "${job}".`;
    await sleep(STEP_MS);
  }
}

interface Job {
  readonly status: "queued" | "running" | "done" | "failed";
  readonly result: Record<string, unknown> | null;
  readonly error: { readonly message: string } | null;
}

/** What a run came to, and its verdict. Lists, such as trades and equity, are left to `full`. */
function resultWords(answer: ApiAnswer, asked: Asked): string {
  const data = answer.data as unknown as Result;
  const held = `holding ${data.coin} made ${number(data.buy_hold?.return_pct)} %`;
  const run = `${data.strategy} on ${data.coin} from ${data.start_date} to ${data.end_date}`;
  const came =
    data.return_pct === undefined
      ? `${run}: ${data.sets} sets, ${held}.`
      : `${run} made ${number(data.return_pct)} %, ${held}.`;
  const said = `${came} ${data.sentence ?? data.check?.sentence ?? data.check_reason ?? ""}`;
  if (asked.fields !== undefined) return fitted(said, only(answer, asked, ""));
  if (asked.detail === "full") return fitted(said, answer);
  const short = Object.entries(data).filter(([, value]) => !Array.isArray(value));
  return fitted(said, { ...answer, data: Object.fromEntries(short) });
}

/** Of a backtest, or of a study. */
interface Result {
  readonly strategy: string;
  readonly coin: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly return_pct?: number | null;
  readonly sets?: number;
  readonly buy_hold?: { readonly return_pct: number | null } | null;
  readonly sentence?: string;
  readonly check?: { readonly sentence?: string } | null;
  readonly check_reason?: string | null;
}
