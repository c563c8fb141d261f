import { setTimeout as sleep } from "node:timers/promises";
import type { BacktestJob } from "../../api/backtest.ts";
import type { BacktestResult } from "../../api/backtest-result.ts";
import type { StudyResult } from "../../api/study.ts";
import type { StudyJob } from "../../api/study-job.ts";
import type { Json } from "../../api/record.ts";
import { ApiRefused, type ApiAnswer, type CallApi } from "./api-call.ts";
import { fitted, only, percentText, type Asked } from "./fitted.ts";

/** How long a run is waited for before its id is the answer. */
const WAIT_MS = 20_000;
const STEP_MS = 500;

/** What a backtest or a study came to, such as `backtests/123`, or after some time what to ask for again. */
export async function finishedRun(call: CallApi, job: string, asked: Asked): Promise<string> {
  if (!/^(?:backtests|studies)\/\d+$/.test(job)) {
    const got = JSON.stringify(job.slice(0, 40));
    throw new ApiRefused(`"job" is as an answer gave it, such as "backtests/123", got ${got}`);
  }
  const until = performance.now() + WAIT_MS;
  for (;;) {
    const answer = await call<Job>(`/${job}`);
    const { status, result, error, attribution } = answer.data!;
    if (status === "error") throw new ApiRefused(error!.message);
    if (status === "done") {
      return resultWords({ ...answer, data: { ...result, attribution } }, asked);
    }
    if (performance.now() > until) return `It is ${status}: ask again with job "${job}".`;
    await sleep(STEP_MS);
  }
}

type Job = Json<typeof BacktestJob> | Json<typeof StudyJob>;
/** Of a backtest, or of a study. */
type Result = Partial<Json<typeof BacktestResult> & Json<typeof StudyResult>>;

/** Lists, such as trades and equity, are left to `full`. */
function resultWords(answer: ApiAnswer, asked: Asked): string {
  const data = answer.data as unknown as Result;
  const run = `${data.strategy} on ${data.coin} from ${data.start_date} to ${data.end_date}`;
  const came =
    data.sets === undefined ? ` made ${percentText(data.return_pct)}` : `: ${data.sets} sets`;
  const held = `holding ${data.coin} made ${percentText(data.buy_hold?.return_pct)}`;
  const verdict = data.sentence ?? data.check?.sentence ?? data.check_reason ?? "";
  const said = `${run}${came}, ${held}. ${verdict}`;
  if (asked.fields !== undefined) return fitted(said, only(answer, asked, ""));
  if (asked.detail === "full") return fitted(said, answer);
  const short = Object.entries(data).filter(([, value]) => !Array.isArray(value));
  return fitted(said, { ...answer, data: Object.fromEntries(short) });
}
