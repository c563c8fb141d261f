/** A command line that cannot be right, found out after it was parsed. Exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
