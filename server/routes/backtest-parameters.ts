import { DomainError } from "../http/errors.ts";
import type { HttpRequest } from "../http/request.ts";

const KEY_MAX_LENGTH = 255;
const JOB_ID = /^[1-9]\d{0,15}$/;
/** Nobody's job, for what is no id: it is looked up like any other. */
const NO_JOB = 0;

/** The id a path ends with. */
export function idOf(text: string): number {
  const id = JOB_ID.test(text) ? Number(text) : NO_JOB;
  return Number.isSafeInteger(id) ? id : NO_JOB;
}

/** The `Idempotency-Key` header, undefined when there is none. */
export function idempotencyKeyOf(request: HttpRequest): string | undefined {
  const { idempotencyKey, idempotencyKeyCount } = request;
  if (idempotencyKeyCount === 0) return undefined;
  const { length } = idempotencyKey;
  if (idempotencyKeyCount === 1 && length >= 1 && length <= KEY_MAX_LENGTH) return idempotencyKey;
  const got = idempotencyKeyCount > 1 ? `${idempotencyKeyCount} of them` : `${length} characters`;
  throw new DomainError(
    "invalid_parameter",
    `header "Idempotency-Key" must be given once with 1 to ${KEY_MAX_LENGTH} characters, got ${got}`,
  );
}
