import { Attribution } from "../../api/attribution.ts";
import { askedText } from "../../check/choices.ts";
import { checkCommandOf, flagsOf } from "../../check/command-line.ts";
import type { CheckFileOptions } from "../../check/check-file.ts";
import type { AskedOption } from "../../check/formats/export.ts";
import { snakeCase } from "../../quant/letter-case.ts";
import type { Caller, ChargeOutcome } from "../../accounts/accounts.ts";
import { type CheckSlot, receiveFile } from "../checks/check-slots.ts";
import type { CheckOutcome } from "../checks/check-task.ts";
import { isForm } from "../checks/form-parts.ts";
import { retryAfter } from "../http/reply.ts";
import { DomainError } from "../http/errors.ts";
import { parseQuery, type QueryParameters } from "../http/url.ts";
import { STREAMED_BODY_MAX_BYTES } from "../http/request.ts";
import { coinOf } from "../routes/board.ts";
import type { CheckEndpoint } from "../routes/endpoint.ts";
import { checkFields } from "../routes/fields.ts";
import { chooseForm, ONLY_JSON } from "./formats/formats.ts";
import { json } from "./formats/json.ts";
import { originOf, type SnapshotData } from "../routes/snapshot-data.ts";
import { readQuery, repeatableOf } from "../routes/parameters.ts";
import { answerOfParts, privateAnswer, type Answer } from "./answer.ts";
import { checkEncoding } from "../routes/body.ts";
import { tooFewUnits, type Refusal } from "./refusals.ts";
import { type Call, sendAnswer, sendError, snapshotAnswers } from "./send-reply.ts";

const BUSY_RETRY_SECONDS = 5;
const MIB = 1024 * 1024;

/** A requested check, with the snapshot that was in force when the request arrived. */
interface SentCheck {
  readonly endpoint: CheckEndpoint;
  readonly snapshot: SnapshotData;
  readonly options: CheckFileOptions;
  /** The members of the answer that are wanted. */
  readonly fields: readonly string[];
  /** The command that makes the same check on the sender's own machine, with wider limits. */
  readonly command: string;
}

/** Everything in a request but its file. Throws DomainError. */
export function sentCheck(call: Call, endpoint: CheckEndpoint): SentCheck {
  const { contentEncoding, bodyTooLarge } = call.request;
  const { snapshot } = snapshotAnswers(call);
  const { query, fields } = chooseForm(call.request, ONLY_JSON);
  if (bodyTooLarge) throw tooLargeBody(commandOf({}));
  const command = commandOf(parseQuery(query, repeatableOf(endpoint.query)));
  checkEncoding(contentEncoding);
  checkFields(endpoint.data, fields);
  const options = endpoint.optionsOf(snapshot, readQuery(endpoint.query, query));
  return { endpoint, snapshot, options, fields, command };
}

/**
 * Takes a slot, receives the file, checks it in a process, and charges the units before the answer is sent. The quota is
 * looked at before the work and decided after it, because other calls of the account may have used it up meanwhile.
 */
export async function answerCheck(
  call: Call,
  caller: Caller,
  sent: SentCheck,
  outcome: ChargeOutcome,
): Promise<void> {
  const { context, response } = call;
  if (!response.open) return; // the client has left, and nothing would end the check
  const { checkUnits: units } = outcome.plan;
  const cost = `a check costs ${units} calls`;
  if (outcome.quota.remaining < units) {
    sendError(call, tooFewUnits(cost, outcome), outcome);
    return;
  }
  const slot = context.parts.checkSlots.enter(caller.accountId);
  if (slot === undefined) {
    sendError(call, BUSY, outcome);
    return;
  }
  response.onGone(() => slot.leave());
  try {
    const answer = await checkedAnswer(call, sent, slot);
    if (!response.open) return;
    const decision = await context.parts.accounts.spend({
      caller,
      nowMs: context.parts.nowMs(),
      endpoint: sent.endpoint.path,
      units,
      rate: outcome.rate,
      connection: response,
    });
    if (decision.charged) context.charged(call.request, units);
    if (decision.charged) sendAnswer(call, answer, { ...outcome, ...decision });
    else sendError(call, tooFewUnits(cost, decision), { ...outcome, ...decision });
  } catch (error) {
    if (response.open) throw error;
  } finally {
    slot.leave();
  }
}

async function checkedAnswer(
  { context, response, request }: Call,
  { endpoint, snapshot, options, fields, command }: SentCheck,
  slot: CheckSlot,
): Promise<Answer> {
  const { signal } = slot;
  const file = await unlessEnded(signal, receiveFile(response, slot));
  if (file === undefined) throw tooLargeBody(command);
  const { accountId, contentType } = request;
  const form = isForm(contentType) ? contentType : undefined;
  const task = { accountId, file, options, form, snapshotId: snapshot.id };
  const report = reportOf(await context.parts.runCheck(task, signal), command);
  const coin = options.coin === undefined ? undefined : coinOf(snapshot, options.coin);
  const attribution = JSON.stringify(Attribution.from(originOf(snapshot, coin)));
  const parts = [`{"attribution":${attribution},`, report.slice(1)];
  if (fields.length === 0) return await answerOfParts(parts, request);
  const data = JSON.parse(parts.join("")) as object;
  return privateAnswer(endpoint, { format: json, fields }, data);
}

/** The report as JSON. Throws the error that takes its place. */
function reportOf(outcome: CheckOutcome, command: string): string {
  switch (outcome.kind) {
    case "report":
      return outcome.json;
    case "refused":
      throw new DomainError("file_refused", outcome.message);
    case "more_needed":
      throw new DomainError(
        "more_needed",
        askedText(outcome.questions, parameterOf(outcome.isLive)),
      );
    case "too_large":
      throw tooLarge(outcome.message, command);
    case "out_of_memory":
      throw tooLarge("the file takes more memory than a check may have here", command);
    case "slow_to_read":
      throw tooLarge(
        `the file takes more than ${outcome.seconds} s to read: it may be damaged`,
        command,
      );
    case "timed_out": {
      const message = `the check was not over within ${outcome.seconds} s, and nothing was charged`;
      throw new DomainError("unavailable", `${message}; try again, or ${onYourMachine(command)}`);
    }
    case "lost": {
      const message = "the process of the check was ended, and nothing was charged; try again";
      throw new DomainError("unavailable", message);
    }
    case "stopped":
      throw ended();
    case "failed":
      throw new Error(`a check failed: ${outcome.name}\n${outcome.frames}`);
  }
}

/** Names an option of the reader as a parameter of the query. */
function parameterOf(isLive: boolean): (option: AskedOption, value?: string) => string {
  return (option, value) => {
    const name = `${isLive ? "live_" : ""}${snakeCase(option)}`;
    return value === undefined ? `parameter "${name}"` : `"${name}=${value}"`;
  };
}

const BUSY: Refusal = {
  failure: {
    code: "unavailable",
    message: "two checks of this account are under way; nothing was charged; wait for one to end",
  },
  lines: retryAfter(BUSY_RETRY_SECONDS),
};

/** The error of a check whose slot was ended: by a stop of the server, or by a client that does not see it. */
function ended(): DomainError {
  return new DomainError("unavailable", "the server is shutting down; nothing was charged");
}

function unlessEnded<T>(signal: AbortSignal, wanted: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(ended()));
    wanted.then(resolve, reject);
  });
}

function tooLargeBody(command: string): DomainError {
  return tooLarge(`the file is larger than ${STREAMED_BODY_MAX_BYTES / MIB} MiB`, command);
}

function tooLarge(message: string, command: string): DomainError {
  return new DomainError("payload_too_large", `${message}; ${onYourMachine(command)}`);
}

function onYourMachine(command: string): string {
  return `your own machine takes more: ${command}`;
}

/** The command that makes the same check. Its options are named like the parameters. */
function commandOf(parameters: QueryParameters): string {
  return checkCommandOf("FILE", flagsOf(parameters));
}
