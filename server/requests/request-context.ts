import type { CheckSlots } from "../checks/check-slots.ts";
import type { RunCheck } from "../checks/run-check.ts";
import type { Accounts } from "../accounts/accounts.ts";
import type { ErrorReplies } from "../http/error-replies.ts";
import type { PendingResponse } from "../http/http-handler.ts";
import type { HttpRequest } from "../http/request.ts";
import type { JobIntakeStore } from "../jobs/job-store.ts";
import type { ByteLimit } from "./byte-limit.ts";
import type { FairQueue } from "../fair-queue.ts";
import type { Refusal } from "./refusals.ts";
import type { SnapshotAnswers } from "./snapshot-answers.ts";

/** The parts of the server that requests need. */
export interface RequestParts {
  readonly accounts: Accounts;
  readonly jobs: Pick<JobIntakeStore, "submit" | "find" | "underWay">;
  /** Call when a backtest waits. */
  readonly wakeBacktests: () => void;
  readonly checkSlots: CheckSlots;
  readonly runCheck: RunCheck;
  /** Where clients reach this server, without a trailing slash. */
  readonly publicUrl: string;
  readonly nowMs: () => number;
}

/** What answering a request needs from the server around it. */
export interface RequestContext {
  readonly parts: RequestParts;
  readonly errorReply: ErrorReplies;
  /** Answers of the current snapshot; undefined while there is none. */
  readonly answers: SnapshotAnswers | undefined;
  readonly byteLimit: ByteLimit;
  readonly making: FairQueue;
  /** Refuses a request without a valid key. */
  refuseKey(response: PendingResponse, refusal: Refusal): void;
  /** Header lines that every response carries besides its own. */
  commonLines(request: HttpRequest): string;
  /** Reports a failure that is our fault. */
  defect(request: HttpRequest, error: unknown): void;
  /** Reports a charge that has reached the store. */
  charged(request: HttpRequest, units: number): void;
  /** Reports why the accounts could not answer a request. */
  outage(error: Error): void;
}

/** One request under way. */
export interface Call {
  readonly response: PendingResponse;
  readonly request: HttpRequest;
  readonly context: RequestContext;
}
