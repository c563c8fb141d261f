import { DomainError } from "../http/errors.ts";
import type { PendingResponse } from "../http/http-handler.ts";
import type { BodyParts } from "../http/incoming-body.ts";
import type { CheckSlot } from "./check-slots.ts";

const KIB = 1024;
/** How fast a file has to come, and how often that is looked at. */
const BYTES_PER_SECOND_MIN = 32 * KIB;
const LOOK_MS = 10_000;
const BYTES_PER_LOOK = (BYTES_PER_SECOND_MIN * LOOK_MS) / 1000;

/**
 * The file of a check, once it has come in full; undefined if it is too large. Rejects if it comes too slowly, or if there
 * is no memory for it. Does not settle if the slot is left first.
 */
export function receiveFile(response: PendingResponse, slot: CheckSlot): Promise<BodyParts> {
  let bytes = 0;
  const take = (more: number) => {
    slot.take(more);
    bytes += more;
  };
  return new Promise((resolve, reject) => {
    let before = 0;
    const look = setInterval(() => {
      if (bytes - before < BYTES_PER_LOOK) reject(tooSlow());
      before = bytes;
    }, LOOK_MS);
    const over = () => clearInterval(look);
    slot.signal.addEventListener("abort", over);
    response.body(take).finally(over).then(resolve, reject);
  });
}

function tooSlow(): DomainError {
  const message = `the file came slower than ${BYTES_PER_SECOND_MIN / KIB} KiB a second for ${LOOK_MS / 1000} seconds; nothing was charged`;
  return new DomainError("upload_too_slow", message);
}
