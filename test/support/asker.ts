import type { Asker } from "../../server/requests/long-answers.ts";

/** A client that waits for an answer, until a test says that it has gone. */
export function asker(accountId = "an account"): { -readonly [Name in keyof Asker]: Asker[Name] } {
  return { open: true, request: { accountId } };
}
