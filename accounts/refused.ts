export type RefusalCode =
  | "bad_plans"
  | "bad_email"
  | "bad_name"
  | "unknown_plan"
  | "trial_over"
  | "email_taken"
  | "link_used"
  | "no_such_account"
  | "no_such_key"
  | "key_ended"
  | "too_many_keys"
  | "not_a_state_file"
  | "former_state"
  | "state_in_use"
  | "no_state_file";

/** A request of an operator or a page that cannot be met. The message is for people. */
export class AccountsRefused extends Error {
  override readonly name = "AccountsRefused";
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
