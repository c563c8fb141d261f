import { DomainError } from "../http/errors.ts";
import type { PendingResponse } from "../http/http-handler.ts";
import type { BodyParts } from "../http/incoming-body.ts";

const MIB = 1024 * 1024;
/** Checks that an account may have under way at once. */
const OF_ACCOUNT_MAX = 2;
/** Memory for the files of all checks under way. */
const BYTES_MAX = 256 * MIB;

/** A check under way, from the first byte of the file to the answer. */
export interface CheckSlot {
  /** Aborted when the slot is left or the server stops. */
  readonly signal: AbortSignal;
  /** Counts bytes of the file. Throws DomainError if there is no memory for them. */
  take(bytes: number): void;
  /** Ends what is still under way and frees the slot. May be called more than once. */
  leave(): void;
}

interface Taken {
  readonly accountId: string;
  bytes: number;
}

/** Limits the checks under way: how many an account has, and how much memory the files of all of them take. */
export class CheckSlots {
  readonly #taken = new Map<AbortController, Taken>();
  #bytes = 0;

  get underWay(): number {
    return this.#taken.size;
  }

  /** The memory that their files take. */
  get bytes(): number {
    return this.#bytes;
  }

  /** A slot for a check of an account; undefined if it has too many under way. */
  enter(accountId: string): CheckSlot | undefined {
    const own = [...this.#taken.values()].filter((each) => each.accountId === accountId).length;
    if (own >= OF_ACCOUNT_MAX) return undefined;
    const slot = new AbortController();
    const taken = { accountId, bytes: 0 };
    this.#taken.set(slot, taken);
    return {
      signal: slot.signal,
      take: (bytes) => {
        if (this.#bytes + bytes > BYTES_MAX) throw full();
        this.#bytes += bytes;
        taken.bytes += bytes;
      },
      leave: () => {
        if (this.#taken.delete(slot)) this.#bytes -= taken.bytes;
        slot.abort();
      },
    };
  }

  stop(): void {
    for (const slot of this.#taken.keys()) slot.abort();
  }
}

function full(): DomainError {
  const message =
    "too many files are under way, of all accounts; nothing was charged; retry shortly";
  return new DomainError("unavailable", message);
}

const KIB = 1024;
/** How fast a file has to arrive, and how often that is measured. */
const BYTES_PER_SECOND_MIN = 32 * KIB;
const LOOK_MS = 10_000;
const BYTES_PER_LOOK = (BYTES_PER_SECOND_MIN * LOOK_MS) / 1000;

/**
 * Resolves with the file of a check, or with undefined if it is too large. Rejects if it arrives too slowly or if there is
 * no memory for it. Does not settle if the slot is left first.
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
