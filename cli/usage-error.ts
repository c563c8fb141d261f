/** A wrong command line that is detected after parsing. Exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
