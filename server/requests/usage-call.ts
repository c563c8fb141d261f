import { AccountCall } from "./account-call.ts";
import { answerBody } from "./answer.ts";
import { PRIVATE_ANSWER_HEADERS } from "../http/reply.ts";
import type { JobContext } from "./job-calls.ts";
import { NO_PARAMETERS, readQuery } from "../routes/parameters.ts";
import { usageOf, type UsageFacts } from "../routes/usage.ts";

/** GET of what the account has used and has left. It is free. */
export class UsageCall extends AccountCall<JobContext> {
  protected override proceed(): void {
    const { snapshot } = this.snapshotAnswers();
    readQuery(NO_PARAMETERS, this.exchange.request.query);
    this.next(this.#facts(), (facts) => {
      const body = answerBody(usageOf(snapshot, facts));
      this.answer({ headers: PRIVATE_ANSWER_HEADERS, body }, this.caller.plan, facts.month);
    });
  }

  /** Asks for everything at once, so that a distant store is waited for once. */
  async #facts(): Promise<UsageFacts> {
    const { caller, nowMs, minute } = this;
    const { accounts, jobs } = this.context;
    const [report, running, month] = await Promise.all([
      later(() => accounts.report(caller, nowMs)),
      later(() => jobs.underWay(caller.accountId, nowMs)),
      later(() => accounts.quota(caller, nowMs)),
    ]);
    return { caller, report, month, minute, running };
  }
}

/**
 * Turns a synchronous failure into a rejection, so that when one of several questions fails, none of the
 * others is left unhandled.
 */
async function later<T>(ask: () => T | Promise<T>): Promise<T> {
  return await ask();
}
