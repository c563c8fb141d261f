import { connect, createServer, type Server, type Socket } from "node:net";

/** A way to a server of this machine on which everything takes so long, in both directions. */
export class SlowLink {
  delayMs = 0;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async to(port: number): Promise<SlowLink> {
    const server = createServer();
    const link = new SlowLink(server);
    server.on("connection", (near) => {
      const far = connect(port, "127.0.0.1");
      link.#pass(near, far);
      link.#pass(far, near);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return link;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("it does not listen");
    return address.port;
  }

  close(): void {
    this.#server.close();
  }

  #pass(from: Socket, to: Socket): void {
    from.setNoDelay(true);
    from.on("data", (chunk: Buffer) => this.#later(() => to.write(chunk)));
    from.on("error", () => to.destroy());
    from.on("close", () => this.#later(() => to.destroy()));
  }

  /** Timers of one length end in their order, so chunks keep theirs while the delay stays the same. */
  #later(work: () => void): void {
    if (this.delayMs === 0) work();
    else setTimeout(work, this.delayMs);
  }
}
