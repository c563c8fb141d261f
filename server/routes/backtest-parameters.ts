import { DomainError } from "../http/errors.ts";
import type { HttpRequest } from "../http/request.ts";

const KEY_MAX_LENGTH = 255;
/** Other bytes all arrive as the same replacement character, which would make two different keys equal. */
const KEY = new RegExp(`^[ -~]{1,${KEY_MAX_LENGTH}}$`);
const JOB_ID = /^[1-9]\d{0,15}$/;
/** Used for an id that is not valid: no job has it, and it is looked up like any other. */
const NO_JOB = 0;

/** The id at the end of a path. */
export function idOf(text: string): number {
  const id = JOB_ID.test(text) ? Number(text) : NO_JOB;
  return Number.isSafeInteger(id) ? id : NO_JOB;
}

/** The `Idempotency-Key` header, undefined when there is none. */
export function idempotencyKeyOf(request: HttpRequest): string | undefined {
  const { idempotencyKey, idempotencyKeyCount } = request;
  if (idempotencyKeyCount === 0) return undefined;
  if (idempotencyKeyCount === 1 && KEY.test(idempotencyKey)) return idempotencyKey;
  throw new DomainError(
    "invalid_parameter",
    `header "Idempotency-Key" must be given once with 1 to ${KEY_MAX_LENGTH} printable ASCII characters, got ${faultOf(request)}`,
  );
}

function faultOf({ idempotencyKey, idempotencyKeyCount }: HttpRequest): string {
  if (idempotencyKeyCount > 1) return `${idempotencyKeyCount} of them`;
  if (idempotencyKey.length > KEY_MAX_LENGTH) return `${idempotencyKey.length} characters`;
  // The socket library passes an empty text if it cannot read what was sent.
  return idempotencyKey === "" ? "an empty one, or other characters" : "other characters";
}
