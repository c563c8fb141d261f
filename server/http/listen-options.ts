const UNPRIVILEGED_PORT_MIN = 1024;

export interface ListenOptions {
  /** Whether other processes may take connections of the same port; false by default. */
  readonly sharePort?: boolean;
  /** Whether a proxy may begin connections with a PROXY v2 preamble; refused by default. */
  readonly expectsProxy?: boolean | undefined;
  /** How many connections may be open; any further one is closed as it comes. No limit by default. */
  readonly connectionsMax?: number | undefined;
  /** Called for each connection that is closed for that. */
  readonly onTooMany?: (() => void) | undefined;
}

/** Names the possible reasons; the library does not say which it is. */
export function cannotListen(host: string, port: number, sharePort: boolean): Error {
  const user =
    port > 0 && port < UNPRIVILEGED_PORT_MIN ? ", or is one that only root may take" : "";
  const holder = sharePort ? " by a process that does not share it" : "";
  const reasons = `the port is in use${holder}${user}, or the address is not one of this machine`;
  return new Error(`cannot listen on ${host}:${port}: ${reasons}`);
}
