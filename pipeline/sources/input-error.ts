/**
 * A fault in the operator's input: a board file, a folder, an option, or an exchange that refuses everything. The
 * message is one line for a person and is printed without a stack.
 */
export class InputError extends Error {
  override readonly name = "InputError";
}
