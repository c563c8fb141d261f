// oxlint-disable typescript/unbound-method -- `next` calls a step with the call as `this`: no closure a request
import type { ChargeDecision, ChargeRequest } from "../accounts/accounts.ts";
import { AccountCall, type CallContext } from "./account-call.ts";
import { matchesEtag } from "../http/conditional.ts";
import type { Exchange } from "../http/exchange.ts";
import { PRIVATE_ANSWER_HEADERS } from "../http/reply.ts";
import { readBody } from "../routes/body.ts";
import type { ComputeEndpoint, ReadEndpoint } from "../routes/endpoint.ts";
import { NO_PARAMETERS, readQuery } from "../routes/parameters.ts";
import { answerBody, type Answer } from "./answer.ts";

/**
 * A call that costs one unit: the answer is made first, then charged, then sent. The call is also its own
 * `ChargeRequest`, which saves an object per request.
 */
abstract class ChargedCall extends AccountCall implements ChargeRequest {
  readonly units = 1;
  readonly endpoint: string;
  #answer: Answer | undefined = undefined;

  constructor(context: CallContext, exchange: Exchange, path: string) {
    super(context, exchange);
    this.endpoint = path;
  }

  /** Charges for an answer and sends it. */
  protected charge(answer: Answer): void {
    this.#answer = answer;
    this.context.accounts.charge(this);
  }

  /** Read just before the charge is decided, so that a client that has gone is not charged. */
  get wanted(): boolean {
    return this.exchange.open;
  }

  /** The store has decided the charge. Never throws: the store has others to tell. */
  settle(outcome: ChargeDecision | Error): void {
    this.next(outcome, this.#settled);
  }

  #settled(outcome: ChargeDecision | Error): void {
    if (outcome instanceof Error) {
      this.fail(outcome);
    } else if (outcome.charged) {
      this.context.charged(this.exchange.request, this.units);
      this.answer(this.#answer!, outcome.plan, outcome);
    } else {
      this.outOfQuota(outcome.plan, outcome);
    }
  }
}

/** GET of snapshot data. If the caller already has the answer, it gets a 304, which costs nothing. */
export class ReadCall extends ChargedCall {
  readonly #endpoint: ReadEndpoint;

  constructor(context: CallContext, exchange: Exchange, endpoint: ReadEndpoint) {
    super(context, exchange, endpoint.path);
    this.#endpoint = endpoint;
  }

  protected override proceed(): void {
    const { query } = this.exchange.request;
    const answer = this.snapshotAnswers().find(this.#endpoint, query);
    const { ifNoneMatch } = this.exchange.request;
    if (ifNoneMatch !== "" && matchesEtag(ifNoneMatch, answer.etag)) this.notModified(answer);
    else this.charge(answer);
  }
}

/** POST whose answer depends on its body alone. */
export class ComputeCall extends ChargedCall {
  readonly #endpoint: ComputeEndpoint;

  constructor(context: CallContext, exchange: Exchange, endpoint: ComputeEndpoint) {
    super(context, exchange, endpoint.path);
    this.#endpoint = endpoint;
  }

  protected override proceed(): void {
    this.checkBody();
    const { snapshot } = this.snapshotAnswers();
    readQuery(NO_PARAMETERS, this.exchange.request.query);
    const given = readBody(this.#endpoint.body, this.exchange.request.body);
    const data = this.#endpoint.answer(snapshot, given as never);
    this.charge({ headers: PRIVATE_ANSWER_HEADERS, body: answerBody(data) });
  }
}
