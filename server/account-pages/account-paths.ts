const READ = ["GET", "HEAD"];
const FORMS = [
  "sign-in",
  "keys",
  "keys/rotate",
  "keys/revoke",
  "sessions/end",
  "address",
  "delete",
];

export const LINK_PATH = "/account/link";

/** Every path of the account pages, with the methods it accepts. */
export const METHODS_OF: ReadonlyMap<string, readonly string[]> = new Map<
  string,
  readonly string[]
>([
  ["/account", READ],
  ["/pricing", READ],
  ["/account/usage.csv", READ],
  [LINK_PATH, [...READ, "POST"]],
  ...FORMS.map((name) => [`/account/${name}`, ["POST"]] as const),
]);
