const READ = ["GET", "HEAD"];
const POST = ["POST"];

export const LINK_PATH = "/account/link";

/** Every path of the pages of accounts, and the methods it takes. */
export const METHODS_OF: ReadonlyMap<string, readonly string[]> = new Map([
  ["/account", READ],
  ["/account/usage.csv", READ],
  [LINK_PATH, [...READ, ...POST]],
  ["/account/sign-in", POST],
  ["/account/keys", POST],
  ["/account/keys/rotate", POST],
  ["/account/keys/revoke", POST],
  ["/account/sessions/end", POST],
  ["/account/address", POST],
  ["/account/delete", POST],
]);
