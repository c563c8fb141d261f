import { join } from "node:path";
import { expect, test } from "vitest";
import { startServer } from "../../../server/main.ts";
import type { ServerOptions } from "../../../server/server-options.ts";
import { pino } from "pino";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const ASKED = {
  signup: "open",
  smtpUrl: undefined,
  mailFrom: undefined,
  upgradeUrl: undefined,
} as const;

/** The answer of a server with these options to a browser that asks for the page, and its log. */
async function seen(options: Partial<ServerOptions>): Promise<readonly [number, string, string]> {
  const folder = temporaryFolder("started");
  const lines: string[] = [];
  const server = await startServer({
    host: "127.0.0.1",
    port: 0,
    snapshots: join(folder, "snapshots"),
    state: join(folder, "hindsight.db"),
    corsOrigins: [],
    log: pino({ level: "info" }, { write: (line) => void lines.push(line) }),
    sharePort: false,
    version: "1.2.3",
    ...options,
  });
  const { port } = new URL(server.origin);
  const answer = await fetch(`http://127.0.0.1:${port}/account`, {
    headers: { accept: "text/html" },
  });
  const text = await answer.text();
  await server.stop();
  return [answer.status, text, lines.join("")];
}

test("a server of this machine alone has the page without being told its address", async () => {
  const [status, text] = await seen({
    accountPages: ASKED,
    operator: { imprint: "https://example.com/imprint" },
  });
  expect(status).toBe(200);
  expect(text).toContain('<a href="https://example.com/imprint">Imprint</a>');
});

test("where the page is off, it says whom to ask", async () => {
  const [status, text, log] = await seen({ accountPages: undefined });
  expect([status, log.includes("account page")]).toEqual([404, false]);
  expect(text).toContain("Ask the operator of this server");
  expect(text).not.toContain("Get a key");
});

test.each([
  [{ publicUrl: "https://api.example.com" }, "HINDSIGHT_SMTP_URL"],
  [{ publicUrl: "http://api.example.com" }, "https"],
  [{ host: "0.0.0.0" }, "--public-url"],
])("%j keeps the page off, and the log says why", async (options, reason) => {
  const [status, , log] = await seen({ ...options, accountPages: ASKED });
  expect(status).toBe(404);
  expect(log).toContain("the account page is off");
  expect(log).toContain(reason);
});
