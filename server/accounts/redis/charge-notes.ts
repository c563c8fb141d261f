import { Notes, type NotesOptions, type Settled } from "../../redis/notes.ts";
import { TAKE_BACK } from "./charge-scripts.ts";

/** For one note; no request waits for it. */
const SETTLE_MS = 1_000;

/** A group of charges whose answer was not heard, and whose requests are told 503. */
export interface ChargeNote {
  readonly store: string;
  /** The hash of the server that sent it. */
  readonly writer: string;
  readonly group: number;
  /** By Redis's clock: later it is refused. */
  readonly deadlineMs: number;
  /** What `CHARGE` was given of each batch. */
  readonly values: readonly string[];
}

/** Notes of charges that must not stand: each is taken back, if Redis made it. */
export function chargeNotes(
  options: Omit<NotesOptions<ChargeNote>, "kind" | "settle">,
): Notes<ChargeNote> {
  return new Notes({
    ...options,
    kind: "charges",
    settle: async (link, { store, writer, group, deadlineMs, values }) => {
      const given = [writer, store, group, deadlineMs, ...values];
      return (await link.run(TAKE_BACK, given, SETTLE_MS)) as Settled;
    },
  });
}
