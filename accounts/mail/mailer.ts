import { setTimeout as sleep } from "node:timers/promises";
import { createTransport } from "nodemailer";
import type { Letter } from "./letters.ts";

/**
 * The outcome of a mail. `refused`: the mail server permanently rejects the address. `failed`: it could not be reached,
 * rejected the mail for now, or took too long.
 */
export type Delivery = "sent" | "refused" | "failed";

export interface Mailer {
  send(to: string, letter: Letter): Promise<Delivery>;
}

export interface SmtpOptions {
  /** `smtp://` or `smtps://`, with user and password if it needs them; checked. */
  readonly url: string;
  /** The sender's address. */
  readonly from: string;
  /** Reports why a mail was not sent, in words that contain no address. */
  readonly warn: (message: string) => void;
  /** Time limit for a mail, including its second attempt. */
  readonly withinMs?: number;
}

/** The longest that a page waits for a mail. */
const SEND_MAX_MS = 10_000;
const RETRY_MS = 500;
/** For this long after the mail server refused a connection, no mail is tried. */
const PAUSE_MS = 5_000;
/** Mails under way at once. More fail without being tried, so that a hanging mail server blocks only these. */
const UNDER_WAY_MAX = 20;
const PERMANENT = 500;

/** Sends mail through an SMTP server: a connection for each, and one retry. */
export function smtpMailer({ url, from, warn, withinMs = SEND_MAX_MS }: SmtpOptions): Mailer {
  const options = connectionOf(url);
  let underWay = 0;
  let resumeMs = -Infinity;

  async function attempt(message: object, leftMs: number): Promise<Delivery> {
    const limits = { connectionTimeout: leftMs, greetingTimeout: leftMs, socketTimeout: leftMs };
    const transport = createTransport({ ...options, ...limits, dnsTimeout: leftMs, ...NO_FILES });
    const abort = new AbortController();
    try {
      const late = sleep(leftMs, undefined, { signal: abort.signal, ref: false }).then(() => {
        throw Object.assign(new Error("late"), { code: "ETIMEDOUT" });
      });
      const sent = transport.sendMail(message);
      sent.catch(() => {}); // it may still fail after the time limit
      late.catch(() => {});
      await Promise.race([sent, late]);
      return "sent";
    } catch (error) {
      const { code = "", command = "", responseCode = 0, syscall } = error as SmtpError;
      warn(`a mail was not sent: ${code} ${command} ${responseCode || ""}`.trimEnd());
      // Any other failure may be that of one address, and must not keep the others waiting.
      if (syscall === "connect") resumeMs = performance.now() + PAUSE_MS;
      return command === "RCPT TO" && responseCode >= PERMANENT ? "refused" : "failed";
    } finally {
      abort.abort();
      transport.close();
    }
  }

  return {
    async send(to, { subject, text, html }) {
      if (underWay >= UNDER_WAY_MAX || performance.now() < resumeMs) return "failed";
      underWay++;
      const endMs = performance.now() + withinMs;
      try {
        const message = { from, to, subject, text, html, headers: AUTOMATIC };
        const first = await attempt(message, withinMs);
        const leftMs = endMs - performance.now() - RETRY_MS;
        if (first !== "failed" || leftMs <= 0) return first;
        await sleep(RETRY_MS);
        return await attempt(message, leftMs);
      } finally {
        underWay--;
      }
    },
  };
}

interface SmtpError {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly syscall?: string;
}

/** Keeps other programs from answering the mail automatically (RFC 3834). */
const AUTOMATIC = { "Auto-Submitted": "auto-generated" };
const NO_FILES = { disableFileAccess: true, disableUrlAccess: true };
const LOOPBACK = /^(?:localhost|127\.[\d.]+|\[?::1\]?)$/;

/** A password goes over an encrypted connection only, unless the mail server is on this machine. */
function connectionOf(address: string) {
  const { protocol, hostname, port, username, password } = new URL(address);
  const secure = protocol === "smtps:";
  const login = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
    ...(username === "" ? {} : { auth: login, requireTLS: !LOOPBACK.test(hostname) }),
  };
}
