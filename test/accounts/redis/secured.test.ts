import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { RedisChild } from "../../../scripts/faults/redis-child.ts";
import { BUILT_IN_PLANS } from "../../../accounts/plans.ts";
import { openState } from "../../../accounts/open-state.ts";
import { callerOf } from "../../support/accounts-contract/bench.ts";
import { RedisBench } from "../../support/accounts-contract/redis-bench.ts";
import { describeOnRedis, describeOnRedisTls } from "../../support/redis-server.ts";
import { runSmall } from "../../support/snapshot-market.ts";
import { charge } from "../../support/charge.ts";
import { HINDSIGHT } from "../../support/built-script.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/**
 * A key that is no secret and two certificates that are trusted here only, valid until 2126. The key of `other`
 * was deleted.
 */
const tlsFile = (name: string) =>
  fileURLToPath(new URL(`../../fixtures/redis-tls/${name}`, import.meta.url));
const CERTIFICATE = tlsFile("server.crt");

interface Done {
  readonly status: number | null;
  readonly said: string;
}

function hindsight(args: readonly string[], authority?: string): Done {
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: authority };
  const done = spawnSync(process.execPath, [HINDSIGHT, ...args], { env, encoding: "utf8" });
  return { status: done.status, said: done.stdout + done.stderr };
}

describeOnRedisTls()("a Redis behind TLS, with a certificate of one's own", () => {
  let redis: RedisChild;
  let server: ChildProcess | undefined;

  beforeAll(async () => {
    redis = await RedisChild.start({}, { certificate: CERTIFICATE, key: tlsFile("server.key") });
  });
  afterAll(async () => {
    server?.kill("SIGKILL");
    await redis.remove();
  });

  test("serves a charged call where its authority is named", async () => {
    const snapshots = temporaryFolder("tls");
    await runSmall(snapshots);
    const state = ["--state", redis.address];
    const account = ["--email", "ann@example.com", "--plan", "developer", "--json"];
    const made = hindsight(["accounts", "create", ...account, ...state], CERTIFICATE);
    expect([made.status, made.said]).toMatchObject([0, expect.stringContaining("key")]);
    const { key } = JSON.parse(made.said) as { key: string };
    const where = ["--snapshots", snapshots, ...state, "--metrics-port", "none"];
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: CERTIFICATE };
    server = spawn(process.execPath, [HINDSIGHT, "serve", "--port", "0", ...where], { env });
    const origin = await originOf(server);
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${origin}/v1/buy-hold?coin=aaa`, { headers });
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { meta: { plan: "developer", quota: { used: 1 } } },
    ]);
  });

  test.each([
    ["no authority", undefined],
    ["another authority", tlsFile("other.crt")],
  ])("is refused in words with %s", (_, authority) => {
    const { status, said } = hindsight(["accounts", "list", "--state", redis.address], authority);
    expect(status).toBe(1);
    expect(said).toMatch(
      /^error: rediss:\/\/127\.0\.0\.1:\d+ cannot be used: the certificate of Redis is not trusted \(.+\): name the file of its authority in NODE_EXTRA_CA_CERTS\n$/,
    );
  });
});

/** The rights of a user that `docs/redis.md` recommends. */
const OWN_USER = ["~hs:*", "&hs:*", "+@all", "-@dangerous", "-@admin", "+info"];
/** Percent-encoded, as in an address. */
const SECRET = "p@ss/wörd:%";

describeOnRedis("a Redis with users and databases", () => {
  let redis: RedisChild;
  let bench: RedisBench;

  beforeAll(async () => {
    redis = await RedisChild.start({ appendonly: "yes" });
    const client = redis.client();
    await client.call("ACL", "SETUSER", "hind:sight", "on", `>${SECRET}`, ...OWN_USER);
    client.disconnect();
  });
  afterEach(() => bench.close());
  afterAll(() => redis.remove());

  const addressOf = (secret: string, database: string) =>
    redis.address.replace("redis://", `redis://hind%3Asight:${encodeURIComponent(secret)}@`) +
    database;

  test("is used as the address says, by a user with no more rights than needed", async () => {
    bench = await RedisBench.on(redis);
    const server = bench.serverSoon(undefined, addressOf(SECRET, "/3"));
    expect(await server.whenReady(5_000)).toBe(true);
    const admin = await bench.adminOf(addressOf(SECRET, "/3"));
    const { key } = await admin.createAccount({ email: "ann@example.com", plan: "developer" });
    const caller = await callerOf(server, key, bench.nowMs);
    const charged = await charge(server, caller, 1, bench.nowMs, "/dca");
    expect(charged).toMatchObject({ kind: "charged", used: 1 });
    expect((await server.report(caller, bench.nowMs)).keys).toHaveLength(1);
    const client = redis.client();
    expect(await client.dbsize(), "nothing in database 0").toBe(0);
    await client.select(3);
    expect(await client.exists("hs:store")).toBe(1);
    client.disconnect();
    expect(bench.warnings).toEqual([]);
  });

  test("that refuses the password is named, and neither password is shown", async () => {
    bench = await RedisBench.on(redis);
    const server = bench.serverSoon(undefined, addressOf("wrong-one", "/3"));
    expect(await server.whenReady(500)).toBe(false);
    const refusal = await server.ping().catch((error: unknown) => error);
    const said = [...bench.warnings, refusal].map(String).join("\n");
    expect(said).toMatch(/WRONGPASS/);
    expect(said).not.toMatch(/wrong-one|p@ss|hind/i);
  });

  test("that refuses the password ends the start of a server, with the reason", async () => {
    const starting = openState({
      state: addressOf("wrong-one", "/3"),
      plans: BUILT_IN_PLANS,
      clock: { nowMs: Date.now, monotonicMs: () => performance.now() },
      log: pino({ enabled: false }),
    });
    await expect(starting).rejects.toThrow(/^redis:\/\/127\.0\.0\.1:\d+\/3: WRONGPASS/);
  });
});

function originOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const hear = (chunk: Buffer) => {
      said += chunk.toString();
      const origin = /"origin":"(http:[^"]+)"/.exec(said)?.[1];
      if (origin !== undefined) resolve(origin);
    };
    server.stdout?.on("data", hear);
    server.stderr?.on("data", hear);
    server.once("exit", () => reject(new Error(said)));
  });
}
