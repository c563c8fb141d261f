import { Notes, type NotesOptions, type Settled } from "../../redis/notes.ts";
import { TAKE_BACK } from "./charge-scripts.ts";

/** How long settling one note may take; no request waits for it. */
const SETTLE_MS = 1_000;

/** A group of charges that Redis did not answer and whose requests are told 503. */
export interface ChargeNote {
  readonly store: string;
  /** The hash of the server that sent it. */
  readonly writer: string;
  readonly group: number;
  /** By Redis's clock. After it Redis refuses the group. */
  readonly deadlineMs: number;
  /** The arguments of `CHARGE` for each batch. */
  readonly values: readonly string[];
}

/** Notes of charges that must not stand: each is taken back if Redis made it. */
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
