import { connect, createServer, type Server, type Socket } from "node:net";

/**
 * A network between a client and a server, for tests: it passes everything on, loses the server's answers, or holds
 * the client's requests back, which stay on their way also when the client has given up.
 */
export class TcpProxy {
  mode: "pass" | "lose answers" | "hold requests" = "pass";
  readonly #server: Server;
  readonly #targetPort: number;
  readonly #sockets = new Set<Socket>();
  readonly #held: (() => void)[] = [];

  private constructor(targetPort: number) {
    this.#targetPort = targetPort;
    this.#server = createServer((client) => this.#join(client));
  }

  static async to(port: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(port);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("it does not listen");
    return address.port;
  }

  /** Sends on what was held back. */
  release(): void {
    for (const send of this.#held.splice(0)) send();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(client: Socket): void {
    const server = connect(this.#targetPort, "127.0.0.1");
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => this.#sockets.delete(socket));
    }
    client.on("data", (data) => {
      if (this.mode === "hold requests") this.#held.push(() => server.write(data));
      else server.write(data);
    });
    server.on("data", (data) => {
      if (this.mode !== "lose answers") client.write(data);
    });
    // The client's end stays unknown to the server while a request of it is held.
    client.on("close", () => {
      if (this.mode === "pass") server.destroy();
    });
    server.on("close", () => client.destroy());
  }
}
