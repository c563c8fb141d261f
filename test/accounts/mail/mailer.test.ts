import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { letterOf } from "../../../accounts/mail/letters.ts";
import { smtpMailer } from "../../../accounts/mail/mailer.ts";
import { freePort } from "../../../scripts/support/free-port.ts";
import { linkIn, MailBox } from "../../support/mail-box.ts";

const LINK = `https://api.example.com/account/link?token=${"x".repeat(43)}`;
const LETTER = letterOf("sign_in", LINK);
const TO = "ann@example.com";

let box: MailBox;
let warnings: string[];
beforeAll(async () => {
  box = await MailBox.open();
});
beforeEach(() => {
  [box.behaviour, box.attempts, warnings] = ["takes", 0, []];
});
afterAll(() => box.close());

const mailer = (url = box.url, withinMs = 2_000) =>
  smtpMailer({
    url,
    from: "accounts@example.com",
    warn: (message) => void warnings.push(message),
    withinMs,
  });

test("sends the link in plain text and in plain HTML, as an automatic mail", async () => {
  expect(await mailer().send(TO, LETTER)).toBe("sent");
  const { to, from, raw } = box.mails.at(-1)!;
  expect([to, from, linkIn(raw)]).toEqual([TO, "accounts@example.com", LINK]);
  expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(raw).toMatch(/^Subject: Sign in to Hindsight\r$/m);
  expect(warnings).toEqual([]);
});

test("tries once more after a failure that may pass", async () => {
  box.behaviour = "fails-once";
  expect(await mailer().send(TO, LETTER)).toBe("sent");
  expect(box.attempts).toBe(2);
});

test("does not try again where the address is refused", async () => {
  box.behaviour = "refuses";
  expect(await mailer().send(TO, LETTER)).toBe("refused");
  expect(box.attempts).toBe(1);
  expect(warnings).toEqual(["a mail was not sent: EENVELOPE RCPT TO 550"]);
});

test("gives up in time on a server that hangs, and on one that is not there", async () => {
  box.behaviour = "hangs";
  const startedMs = performance.now();
  expect(await mailer(box.url, 900).send(TO, LETTER)).toBe("failed");
  expect(performance.now() - startedMs).toBeLessThan(2_000);
  const nowhere = `smtp://127.0.0.1:${await freePort()}`;
  expect(await mailer(nowhere).send(TO, LETTER)).toBe("failed");
  expect(warnings.join()).not.toContain("ann");
});

test("pauses after a connection that was refused, and not after one that was dropped", async () => {
  const away = mailer(`smtp://127.0.0.1:${await freePort()}`);
  expect([await away.send(TO, LETTER), warnings.length]).toEqual(["failed", 2]);
  expect([await away.send(TO, LETTER), warnings.length], "not tried").toEqual(["failed", 2]);
  const there = mailer();
  box.behaviour = "drops";
  expect(await there.send(TO, LETTER)).toBe("failed");
  box.behaviour = "takes";
  expect(await there.send(TO, LETTER)).toBe("sent");
});

test("sends no password over a connection that anyone can read", async () => {
  const { port } = new URL(box.url);
  const elsewhere = `smtp://ann:secret@0.0.0.0:${port}`; // this machine, but not by a loopback name
  expect(await mailer(elsewhere).send(TO, LETTER)).toBe("failed");
  expect(box.attempts).toBe(0);
  expect(warnings.join()).toContain("ETLS");
});
