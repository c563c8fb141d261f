import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SERVER_NODE_FLAGS } from "../../cli/node-flags.ts";
import { runScript } from "../../scripts/support/child-processes.ts";
import { ChildServer } from "../../scripts/support/child-server.ts";
import { drawToken } from "../../accounts/access-tokens.ts";
import { hiddenIn } from "../support/account-server.ts";
import { HINDSIGHT } from "../support/built-script.ts";
import { describeWith } from "../support/deploy-tools.ts";
import { MailBox } from "../support/mail-box.ts";
import { CADDY, HOST, NGINX, ProxyOfTests } from "../support/proxies.ts";
import { publishDemo } from "../support/publish-demo.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const MIB = 1024 * 1024;

const folder = temporaryFolder("proxied");
const snapshots = join(folder, "snapshots");
/** For both proxies, since publishing takes longer than all the rest. */
let published: Promise<void> | undefined;

for (const kind of [NGINX, CADDY]) {
  describeWith(kind.tool, "openssl")(`${kind.tool} before a server`, () => {
    let box: MailBox;
    let server: ChildServer;
    let proxy: ProxyOfTests;
    let key: Record<string, string>;

    beforeAll(async () => {
      const state = join(folder, `${kind.tool}.db`);
      published ??= publishDemo(snapshots, "2024-06-30", "2024-07-01T00:10:00Z");
      await published;
      const account = ["--email", "bob@example.com", "--plan", "scale", "--state", state, "--json"];
      const made = await runScript(HINDSIGHT, ["accounts", "create", ...account]);
      key = { authorization: `Bearer ${(JSON.parse(made) as { key: string }).key}` };
      box = await MailBox.open();
      const where = ["--port", "0", "--metrics-port", "none", "--job-threads", "1"];
      const links = ["--public-url", `https://${HOST}`, "--trusted-proxy", "127.0.0.1"];
      const files = ["--state", state, "--snapshots", snapshots, "--smtp-url", box.url];
      server = await ChildServer.start({
        flags: SERVER_NODE_FLAGS,
        script: HINDSIGHT,
        args: ["serve", ...where, ...links, ...files],
      });
      proxy = await ProxyOfTests.start(kind, server.port);
    });
    afterAll(() => Promise.all([proxy?.close(), server?.stop(), box?.close()]));

    test("passes on pages, answers and submissions", async () => {
      expect(await proxy.ask("/")).toMatchObject({ status: 200 });
      expect(await proxy.ask("/docs/api")).toMatchObject({ status: 200 });
      expect(await proxy.ask("/readyz")).toMatchObject({ status: 200 });
      const answer = await proxy.ask("/v1/signals?coin=btc", { headers: key });
      expect(answer).toMatchObject({ status: 200 });
      expect(answer.headers["strict-transport-security"]).toBe("max-age=31536000");
      expect(JSON.parse(answer.text)).toHaveProperty("data.attribution");
      const run = JSON.stringify({ coin: "btc", template: "sma_cross" });
      const headers = { ...key, "content-type": "application/json" };
      const refused = await proxy.ask("/v1/backtests", { method: "POST", headers }, run);
      expect(JSON.parse(refused.text)).toHaveProperty("error.docs_url");
    });

    test("takes a file of 16 MiB to the server, and no larger ones", async () => {
      const headers = { ...key, "content-type": "text/csv" };
      const asked = { method: "POST", headers };
      const largest = await proxy.ask("/v1/check", asked, Buffer.alloc(16 * MIB, "x"));
      expect(largest.status).not.toBe(413);
      expect(JSON.parse(largest.text)).toHaveProperty("error.code");
      const tooLarge = await proxy.ask("/v1/check", asked, Buffer.alloc(18 * MIB, "x"));
      expect(kind === NGINX ? [413] : [413, 502]).toContain(tooLarge.status); // Debian 12's Caddy
    });

    test("leads to https on the host of its own", async () => {
      const { http } = proxy.ports;
      const answer = await fetch(`http://127.0.0.1:${http}/docs?x=1`, { redirect: "manual" });
      expect(answer.status).toBe(308);
      expect(answer.headers.get("location")).toContain("https://");
    });

    test("signs in by mail, and logs no token and no cookie", async () => {
      const form = {
        "content-type": "application/x-www-form-urlencoded",
        "sec-fetch-site": "same-origin",
      };
      const post = (path: string, fields: Record<string, string>) =>
        proxy.ask(path, { method: "POST", headers: form }, new URLSearchParams(fields).toString());
      await post("/account/sign-in", { email: "ann@example.com", once: drawToken() });
      const link = new URL(box.link);
      expect(link.origin).toBe(`https://${HOST}`);
      const path = link.pathname + link.search;
      const page = await proxy.ask(path);
      const signedIn = await post("/account/link", hiddenIn(page.text));
      expect(signedIn.status).toBe(303);
      const [cookie = ""] = signedIn.headers["set-cookie"] ?? [];
      expect(cookie).toMatch(/^__Host-hs=.*Secure/);
      const [pair = ""] = cookie.split(";");
      const account = await proxy.ask("/account", { headers: { cookie: pair } });
      expect(account.text).toContain("ann@example.com");

      const asks = [{}, { referer: link.href, cookie: pair }];
      await Promise.all(asks.map((headers) => proxy.ask(path, { headers })));
      const many = Array.from({ length: 200 }, () => proxy.ask(path, { headers: asks[1]! }));
      const limited = (await Promise.all(many)).filter(({ status }) => status === 429);
      expect(limited.length > 0).toBe(kind === NGINX);
      const other = Array.from({ length: 200 }, () => proxy.ask("/v1/usage", { headers: key }));
      expect(new Set((await Promise.all(other)).map(({ status }) => status))).toEqual(
        new Set([200]),
      );
      await server.stop();
      expect((await proxy.ask(`/v1/usage?token=${link.searchParams.get("token")}`)).status).toBe(
        502,
      );
      await proxy.close(); // so that its log is written

      const logs = join(proxy.folder, "log");
      const logged = readdirSync(logs)
        .map((file) => readFileSync(join(logs, file), "utf8"))
        .join();
      expect(statSync(join(logs, "hindsight.log")).size).toBeGreaterThan(0);
      expect(logged).toContain("/account/link");
      const secrets = [link.searchParams.get("token"), pair.split("=")[1], key["authorization"]];
      for (const secret of secrets) expect(logged).not.toContain(secret);
    });
  });
}
