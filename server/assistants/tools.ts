import { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { BuyHold } from "../../api/buy-hold.ts";
import type { DcaPlan } from "../../api/dca.ts";
import type { OverfittingIndex } from "../../api/overfitting-index.ts";
import type { Reading } from "../../api/reading.ts";
import type { Json } from "../../api/record.ts";
import { ApiRefused, type ApiAnswer, type CallApi } from "./api-call.ts";
import { fitted, only, percentText, wanted } from "./fitted.ts";
import { finishedRun } from "./finished-run.ts";

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

const INSTRUCTIONS =
  "How crypto strategies really did, and how much of a good backtest is luck. Say the first sentence of an answer as it is: " +
  "it claims no more than its evidence. Count every variant that was ever tried as n_trials.";
const CSV_MAX = 200 * 1024;

const coin = z.string().describe("ticker, as btc");
const day = z.string().describe("YYYY-MM-DD");
const size = {
  detail: z.enum(["concise", "full"]).default("concise"),
  fields: z.string().optional().describe("members wanted, by comma"),
};
const n_trials = z.int().min(1).describe("variants ever tried, all of them");

/** The tools of assistants, each of which is a call of the API. */
export function toolServer(options: ToolsOptions): McpServer {
  const { version, call, checkPath } = options;
  const info = { name: "hindsight-backtests", version };
  const server = new McpServer(info, { instructions: INSTRUCTIONS });
  const tools = [checkTool(checkPath), LUCK, OUTCOME, SIGNALS, INDEX, RUN];
  for (const each of tools) {
    const { name, description, input, writes = false } = each;
    const annotations = { readOnlyHint: !writes, openWorldHint: false };
    const about = { description, inputSchema: z.object(input), annotations };
    server.registerTool(name, about, async (sent) => {
      try {
        return { content: [{ type: "text", text: await each.run(sent as never, call) }] };
      } catch (error) {
        if (!(error instanceof ApiRefused)) throw error;
        return { content: [{ type: "text", text: error.message }], isError: true };
      }
    });
  }
  return server;
}

interface Tool<Input extends z.ZodRawShape = z.ZodRawShape> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  /** Whether it costs more than a call, and leaves something behind. */
  readonly writes?: boolean;
  run(input: z.output<z.ZodObject<Input>>, call: CallApi): Promise<string>;
}

/** Keeps the types of a tool's input for its `run`. */
const tool = <Input extends z.ZodRawShape>(about: Tool<Input>): Tool => about as Tool;

function checkTool(checkPath: CheckPath | undefined): Tool {
  const about = {
    name: "check_backtest",
    description:
      "Is a backtest skill or luck? Deflated Sharpe ratio and family-wise tests of the returns, equity or trades that a tool wrote.",
  };
  const input = { n_trials, coin: coin.optional(), ...size };
  const members = "verdict,input.bars,input.variants,input.first,input.last,trials.n,trials.dsr";
  const said = (answer: ApiAnswer, asked: Parameters<typeof only>[1]) =>
    fitted(
      (answer.data!["verdict"] as { sentence: string }).sentence,
      only(answer, asked, members),
    );
  if (checkPath !== undefined) {
    const path = z.string().describe("of the file; it is read here and not sent");
    return tool({
      ...about,
      input: { path, ...input },
      run: async (asked) => said(await checkPath(asked.path, asked), asked),
    });
  }
  const csv = z.string().max(CSV_MAX).describe("the file's text");
  return tool({
    ...about,
    input: { csv, ...input },
    run: async ({ csv: body, ...asked }, call) => {
      const query = { n_trials: asked.n_trials, coin: asked.coin };
      return said(await call("/check", { query, body }), asked);
    },
  });
}

const LUCK = tool({
  name: "luck",
  description: "How high a Sharpe ratio luck alone reaches, and what came after such ones here.",
  input: { sharpe: z.number().describe("a year"), length_days: z.number(), n_trials, ...size },
  run: async ({ sharpe, length_days, n_trials: trials, ...asked }, call) => {
    const answer = await call("/overfitting", { body: { sharpe, length_days, n_trials: trials } });
    const rates = await call("/base-rates", { query: { sharpe, length_days } });
    const { afterwards, afterwards_note } = rates.data!;
    const data = { ...answer.data, afterwards, afterwards_note };
    const members =
      "verdict,expected_max_sharpe,deflated_sharpe_ratio,fwer_p_value,break_even_trials,afterwards,afterwards_note";
    return fitted(
      answer.data!["verdict_sentence"] as string,
      only({ ...answer, data }, asked, members),
    );
  },
});

const OUTCOME = tool({
  name: "outcome",
  description: "What holding a coin, or buying some at regular intervals, came to.",
  input: {
    coin,
    plan: z.enum(["hold", "dca"]),
    start_date: day,
    end_date: day.optional(),
    amount: z.number().default(100).describe("dollars a purchase, of dca"),
    frequency: z.enum(["daily", "weekly", "monthly"]).default("monthly"),
  },
  run: async ({ plan, amount, frequency, ...query }, call) => {
    if (plan === "hold") {
      const asked = { query: { ...query, fields: "coin,window" } };
      const answer = await call<Json<typeof BuyHold>>("/buy-hold", asked);
      const { entry_date, end_date, return_pct, max_drawdown_pct } = answer.data!.window!;
      const made = `made ${percentText(return_pct)}; its worst fall was ${percentText(max_drawdown_pct)}.`;
      return fitted(`${query.coin} from ${entry_date} to ${end_date} ${made}`, answer);
    }
    const answer = await call<DcaPlan>("/dca", { query: { ...query, amount, frequency } });
    const { invested_usd, value_usd, purchases } = answer.data!;
    const worth = value_usd === null ? "an amount that can't be said" : value_usd.toFixed(0);
    return fitted(
      `${purchases} purchases of ${query.coin} for ${invested_usd} dollars were worth ${worth} at the end.`,
      answer,
    );
  },
});

const SIGNALS = tool({
  name: "signals",
  description: "A coin's rating from 26 indicators. No rating has told what comes next.",
  input: { coin, ...size },
  run: async ({ coin: ticker, ...asked }, call) => {
    const members = "signal.name,signal.date,signal.close_usd,signal.summary";
    const query = { coin: ticker, fields: wanted(asked, members) };
    const answer = await call<{ signal?: Partial<Reading> }>("/signals", { query });
    const { date, summary } = answer.data!.signal ?? {};
    const said = summary?.rating && date ? `${ticker} was rated ${summary.rating} on ${date}.` : "";
    return fitted(said, answer);
  },
});

const INDEX = tool({
  name: "overfitting_index",
  description: "The monthly Crypto Overfitting Index: at 50 the best backtest is a coin flip.",
  input: size,
  run: async (asked, call) => {
    const members =
      "current.month,current.value,current.low,current.high,current.stands_out,current.luck_share";
    const query = { fields: wanted(asked, members) };
    const answer = await call<Partial<OverfittingIndex>>("/overfitting-index", { query });
    const { month, value, stands_out: isApart } = answer.data!.current ?? {};
    const stands = isApart === true ? "stands out from" : "does not stand out from";
    const said =
      month && value ? `In ${month} it was ${value.toFixed(1)}, which ${stands} luck.` : "";
    return fitted(said, answer);
  },
});

const RUN = tool({
  name: "run_strategy",
  description:
    "Runs a strategy on a coin, after costs, and says how much of it luck explains. Without a strategy: the catalogue. With lists of parameters: a study of all their sets.",
  writes: true,
  input: {
    strategy: z.string().optional(),
    coin: coin.optional(),
    start_date: day.optional(),
    end_date: day.optional(),
    parameters: z
      .record(z.string(), z.union([z.number(), z.array(z.number())]))
      .optional()
      .describe("name: value, or a list of values for a study"),
    job: z.string().optional().describe("as an earlier answer gave it"),
    ...size,
  },
  run: async ({ strategy, job, detail, fields, ...body }, call) => {
    const asked = { detail, fields };
    if (job !== undefined) return await finishedRun(call, job, asked);
    if (strategy === undefined) {
      const members =
        "templates.name,templates.title,templates.parameters.name,templates.parameters.default";
      const answer = await call("/strategies", { query: { fields: wanted(asked, members) } });
      return fitted("The strategies that can be run.", answer);
    }
    const isStudy = Object.values(body.parameters ?? {}).some(Array.isArray);
    const kind = isStudy ? "studies" : "backtests";
    const { data } = await call(`/${kind}`, { body: { strategy, ...body } });
    return await finishedRun(call, `${kind}/${data!["job_id"] as number}`, asked);
  },
});
