import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { SMTPServer } from "smtp-server";

/** What the server does with a mail. */
type Behaviour =
  | "takes"
  | "refuses"
  | "defers"
  | "hangs"
  | "drops"
  | "fails-once"
  | "fails-at-the-end";

/** An SMTP server on this machine, and the mails it took. */
export class MailBox {
  readonly mails: { readonly to: string; readonly from: string; readonly raw: string }[] = [];
  behaviour: Behaviour = "takes";
  attempts = 0;
  underWay = 0;
  mostUnderWay = 0;
  readonly #server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 10,
    onConnect: (_, done) => {
      this.underWay++;
      this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
      done();
    },
    onClose: () => {
      this.underWay--;
    },
    onRcptTo: (_, __, done) => {
      this.attempts++;
      if (this.behaviour === "hangs") return;
      if (this.behaviour === "drops") {
        for (const { _socket } of this.#server.connections as Set<{ _socket: Socket }>) {
          _socket.destroy();
        }
        return;
      }
      if (this.behaviour === "fails-once") {
        this.behaviour = "takes";
        done(Object.assign(new Error("later"), { responseCode: 451 }));
      } else if (this.behaviour === "defers") {
        done(Object.assign(new Error("try again later"), { responseCode: 450 }));
      } else if (this.behaviour === "refuses") {
        done(Object.assign(new Error("nobody of that name"), { responseCode: 550 }));
      } else done();
    },
    onData: (stream, { envelope: { rcptTo, mailFrom } }, done) => {
      const from = mailFrom === false ? "" : mailFrom.address;
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (this.behaviour === "fails-at-the-end") {
          done(Object.assign(new Error("no room"), { responseCode: 452 }));
          return;
        }
        const raw = Buffer.concat(chunks).toString();
        for (const { address } of rcptTo) this.mails.push({ to: address, from, raw });
        done();
      });
    },
  });

  static async open(): Promise<MailBox> {
    const box = new MailBox();
    box.#server.on("error", () => {}); // a client that gave up
    const listener = box.#server.listen(0, "127.0.0.1");
    await once(listener, "listening");
    return box;
  }

  get url(): string {
    const { port } = this.#server.server.address() as AddressInfo;
    return `smtp://127.0.0.1:${port}`;
  }

  /** The link in the newest mail. */
  get link(): string {
    return linkIn(this.mails.at(-1)?.raw ?? "");
  }

  async close(): Promise<void> {
    await new Promise<void>((done) => this.#server.close(() => done()));
  }
}

/** The link of a mail, whose text is quoted-printable. */
export function linkIn(raw: string): string {
  const plain = raw.replaceAll(/=\r\n/g, "").replaceAll("=3D", "=");
  return /https?:\/\/\S+\/account\/link\?token=[\w-]{43}/.exec(plain)?.[0] ?? "";
}
