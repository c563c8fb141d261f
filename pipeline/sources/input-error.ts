/**
 * A fault in what the operator gave: a board file, a folder, an option, an exchange that refuses
 * everything. The message is one line for a person and is printed without a stack.
 */
export class InputError extends Error {
  override readonly name = "InputError";
}
