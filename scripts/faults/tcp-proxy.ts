import { connect, createServer, type Server, type Socket } from "node:net";

/**
 * A network between a client and a server on this machine. It passes everything on, loses the answers of the server,
 * or holds back the requests of the client, which stay under way even if the client gives up. Everything can be
 * delayed.
 */
export class TcpProxy {
  mode: "pass" | "lose answers" | "hold requests" = "pass";
  /** In each direction. */
  delayMs = 0;
  /** Where future connections lead. */
  targetPort: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #held: (() => void)[] = [];

  private constructor(targetPort: number) {
    this.targetPort = targetPort;
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

  /** Passes on what was held back. */
  release(): void {
    for (const send of this.#held.splice(0)) send();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(client: Socket): void {
    const server = connect(this.targetPort, "127.0.0.1");
    for (const socket of [client, server]) {
      this.#sockets.add(socket.setNoDelay(true));
      socket.on("error", () => {}); // it is closed then
      socket.on("close", () => this.#sockets.delete(socket));
    }
    const [there, back] = [new Way(), new Way()];
    client.on("data", (data) => {
      if (this.mode === "hold requests") this.#held.push(() => server.write(data));
      else there.send(this.delayMs, () => server.write(data));
    });
    server.on("data", (data) => {
      if (this.mode !== "lose answers") back.send(this.delayMs, () => client.write(data));
    });
    // The server does not learn that the client has ended while a request of it is held back.
    client.on("close", () => {
      if (this.mode === "pass") there.send(this.delayMs, () => server.destroy());
    });
    server.on("close", () => back.send(this.delayMs, () => client.destroy()));
  }
}

/** One direction of a connection. Data arrives in the order in which it was sent, even if the delay changes. */
class Way {
  readonly #sent: { readonly dueMs: number; readonly arrive: () => void }[] = [];

  send(delayMs: number, arrive: () => void): void {
    if (delayMs === 0 && this.#sent.length === 0) {
      arrive();
      return;
    }
    this.#sent.push({ dueMs: performance.now() + delayMs, arrive });
    if (this.#sent.length === 1) this.#waitForFirst();
  }

  #waitForFirst(): void {
    const [first] = this.#sent;
    if (first === undefined) return;
    setTimeout(() => {
      const nowMs = performance.now();
      while ((this.#sent[0]?.dueMs ?? Infinity) <= nowMs) this.#sent.shift()?.arrive();
      this.#waitForFirst();
    }, first.dueMs - performance.now());
  }
}
