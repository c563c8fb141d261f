/** Whether `--state` names a Redis and not a file. */
export function isRedisAddress(state: string): boolean {
  return /^rediss?:\/\//i.test(state);
}

/** The fault of a Redis address, if any. It does not repeat the address, which may have a password. */
export function addressFault(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !isRedisAddress(address) || url.hostname === "") {
    return "a Redis address is redis://[user:password@]host[:port][/db], or rediss:// for TLS";
  }
  if (!/^\/?\d{0,5}$/.test(url.pathname)) {
    return "what follows the host of a Redis address is the number of a database, such as /0";
  }
  if (url.search !== "" || url.hash !== "") return "a Redis address takes no ? and no #";
  return undefined;
}

/** The address without user and password, for messages and logs. */
export function shownAddress(address: string): string {
  const url = new URL(address);
  const database = url.pathname === "/" ? "" : url.pathname;
  return `${url.protocol}//${url.hostname}:${url.port === "" ? 6379 : url.port}${database}`;
}
