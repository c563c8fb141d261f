import { connect, createServer, type Server, type Socket } from "node:net";

/** A way to a server on which answers can be lost: what is asked always arrives. */
export class DeafLink {
  /** While true, no answer comes back. */
  deaf = false;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async to(port: number): Promise<DeafLink> {
    const server = createServer();
    const link = new DeafLink(server);
    server.on("connection", (near) => {
      const far = connect(port, "127.0.0.1");
      near.on("data", (chunk: Buffer) => far.write(chunk));
      far.on("data", (chunk: Buffer) => {
        if (!link.deaf) near.write(chunk);
      });
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        link.#sockets.add(socket);
        socket.on("error", () => other.destroy());
        socket.on("close", () => {
          link.#sockets.delete(socket);
          other.end();
        });
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return link;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("it does not listen");
    return address.port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
