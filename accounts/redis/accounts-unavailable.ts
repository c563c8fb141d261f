/** The store cannot answer: the disk is full, the file unreadable, or Redis out of reach. Nothing was charged. */
export class AccountsUnavailable extends Error {
  override readonly name = "AccountsUnavailable";
}
