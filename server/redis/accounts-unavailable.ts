/** The store cannot answer (disk full, unreadable, out of reach). Nothing was charged. */
export class AccountsUnavailable extends Error {
  override readonly name = "AccountsUnavailable";
}
