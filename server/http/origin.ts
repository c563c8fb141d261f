/** What a wildcard address includes on every machine that has it. */
const LOOPBACK = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

/** Where a browser on this machine finds a server; a wildcard address is replaced by the loopback. */
export function originOf(host: string, port: number): string {
  const reachable = LOOPBACK.get(host) ?? host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

/** Whether only this machine reaches what listens on an address, or has a public address. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}
