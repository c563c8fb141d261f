import type * as uWS from "uWebSockets.js";
import type { HttpHandler } from "./http-handler.ts";
import { library } from "./socket-library.ts";
import { Listener } from "./socket.ts";

export interface ListenOptions {
  /**
   * Whether other processes may take connections of the same port. By default they may not: a second server must fail
   * instead of taking half of the connections.
   */
  readonly sharePort?: boolean;
  /** Whether a proxy may begin connections with a PROXY v2 preamble; refused by default. */
  readonly expectsProxy?: boolean | undefined;
  /** How many connections may be open. Any further one is closed at once. No limit by default. */
  readonly connectionsMax?: number | undefined;
  /** Called for each connection that is closed because there are too many. */
  readonly onTooMany?: (() => void) | undefined;
}

const EXCLUSIVE_PORT = 1;
/** Processes that all set this share a port, and the kernel spreads connections over them (SO_REUSEPORT). */
const SHARED_PORT = 0;
const UNPRIVILEGED_PORT_MIN = 1024;

export interface HttpServer {
  readonly port: number;
  /** How many requests wait for their answer, and how many long answers wait for their clients to take them. */
  inFlight(): number;
  connections(): number;
  stopAccepting(): void;
  close(): void;
}

/** Listens, and answers with the handler made for the port it got. Rejects if it cannot have the address. */
export function listen(
  host: string,
  port: number,
  handlerFor: (port: number) => HttpHandler,
  options: ListenOptions = {},
): Promise<HttpServer> {
  const { sharePort = false, expectsProxy = false, connectionsMax = Infinity } = options;
  // Without this every response has a "uWebSockets" header. It is undocumented, and there is no other way.
  (Reflect.get(library, "_cfg") as (option: string) => void)("silent");
  const app = library.App();
  let listener: Listener;
  let connections = 0;
  app.filter((res, change) => {
    connections += Number(change);
    if (connections <= connectionsMax || Number(change) < 0) return;
    res.close(); // which calls this again, with -1
    options.onTooMany?.();
  });
  // The library's types leave out the form with a host and an option.
  const listenOn = app.listen.bind(app) as unknown as ListenOn;
  return new Promise((resolve, reject) => {
    listenOn(host, port, sharePort ? SHARED_PORT : EXCLUSIVE_PORT, (socket) => {
      if (socket === false) {
        reject(cannotListen(host, port, sharePort));
        return;
      }
      let accepting = true;
      const boundPort = library.us_socket_local_port(socket);
      try {
        listener = new Listener(handlerFor(boundPort), expectsProxy, app);
      } catch (error) {
        library.us_listen_socket_close(socket);
        reject(error as Error);
        return;
      }
      resolve({
        port: boundPort,
        inFlight: () => listener.inFlight,
        connections: () => connections,
        stopAccepting() {
          if (accepting) library.us_listen_socket_close(socket);
          accepting = false;
        },
        close() {
          accepting = false;
          app.close();
        },
      });
    });
  });
}

type ListenOn = (
  host: string,
  port: number,
  option: number,
  callback: (socket: uWS.us_listen_socket | false) => void,
) => void;

/** Names the possible reasons, since the library does not give the one. */
function cannotListen(host: string, port: number, sharePort: boolean): Error {
  const user =
    port > 0 && port < UNPRIVILEGED_PORT_MIN ? ", or is one that only root may take" : "";
  const holder = sharePort ? " by a process that does not share it" : "";
  const reasons = `the port is in use${holder}${user}, or the address is not one of this machine`;
  return new Error(`cannot listen on ${host}:${port}: ${reasons}`);
}
