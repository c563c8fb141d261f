import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * The range is below the ports that systems give to outgoing connections. Otherwise a client that keeps trying to
 * reach a server that is down could be given that port, and connect to itself.
 */
const PORT_FIRST = 12_000;
const PORT_END = 32_000;

/** A free port on this machine. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORT_FIRST, PORT_END);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const free = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve(true));
  });
  if (free) await new Promise((resolve) => server.close(resolve));
  return free;
}
