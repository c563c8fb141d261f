/** The alerts, with a Prometheus that reads a server which has the fault itself. Only their times are shorter. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../scripts/support/free-port.ts";
import { accountIn } from "../support/account-in.ts";
import { HINDSIGHT } from "../support/built-script.ts";
import { describeWith, run } from "../support/deploy-tools.ts";
import { withoutCapabilities } from "../support/ordinary-user.ts";
import { publishDemo } from "../support/publish-demo.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { until, untilAnswered, untilItPasses } from "../support/until.ts";
import { writable } from "../support/writable.ts";

/** What is read of an answer of the server or of Prometheus. */
interface Answer {
  readonly status?: string;
  readonly data?: { readonly alerts?: readonly { state: string; labels: { alertname: string } }[] };
}

const LIMIT_MS = 120_000;

describeWith(
  "prometheus",
  "openssl",
  "sqlite3",
)("an alert fires by the program's own fault", () => {
  const folder = temporaryFolder("alerts");
  const [snapshots, state, backups] = ["data", "hindsight.db", "backups"].map((n) =>
    join(folder, n),
  );
  const started: ChildProcess[] = [];
  const site = createServer();
  let said = "";
  let server: ChildProcess;
  let [port, metrics, alerts] = [0, 0, 0];
  let key: string;

  const start = (program: string, args: readonly string[], env = {}) => {
    const child = spawn(program, args, { env: { ...process.env, ...env }, cwd: folder });
    started.push(child);
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += text));
    return child;
  };
  const serve = () => {
    const where = ["--port", port, "--metrics-port", metrics, "--snapshots", snapshots].map(String);
    const upkeep = ["--state", state!, "--backups", backups!, "--job-threads", "1"];
    const url = `https://localhost:${(site.address() as AddressInfo).port}`;
    const command = [...withoutCapabilities(), process.execPath, HINDSIGHT, "serve"];
    const [program, ...args] = [...command, ...where, ...upkeep, "--public-url", url];
    return start(program!, args);
  };
  const backUp = () =>
    run("bash", [resolve("deploy/backup.sh"), backups!], {
      HINDSIGHT_STATE: state!,
      HINDSIGHT_SNAPSHOTS: snapshots!,
    });
  const json = async (path: string, of = port, init: RequestInit = {}) => {
    const answer = await fetch(`http://127.0.0.1:${of}${path}`, init).catch(() => undefined);
    return ((await answer?.json()) ?? {}) as Answer;
  };
  const firing = async () => {
    const { data } = await json("/api/v1/alerts", alerts);
    const found = data?.alerts ?? [];
    return found.filter(({ state: is }) => is === "firing").map(({ labels }) => labels.alertname);
  };
  const fires = (name: string) => untilItPasses(async () => expect(await firing()).toContain(name));
  const isQuiet = (name: string) =>
    untilItPasses(async () => expect(await firing()).not.toContain(name));

  beforeAll(async () => {
    await publishDemo(snapshots!, "2024-06-01", "2024-06-02T00:10:00Z");
    key = await accountIn(state!, "scale");
    mkdirSync(backups!);
    const [pem, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
    const made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
    run("openssl", [
      ...made,
      "-days",
      "2",
      "-subj",
      "/CN=localhost",
      "-keyout",
      keyFile,
      "-out",
      pem,
    ]);
    site.setSecureContext({ cert: readFileSync(pem), key: readFileSync(keyFile) });
    await once(site.listen(0, "localhost"), "listening");
    [port, metrics, alerts] = [await freePort(), await freePort(), await freePort()];
    const rules = readFileSync("deploy/prometheus/rules.yml", "utf8");
    const short = rules.replaceAll(/for: \d+m/g, "for: 1s").replace("> 54000", "> 10");
    writeFileSync(join(folder, "rules.yml"), short);
    const config = readFileSync("deploy/prometheus/prometheus.yml", "utf8");
    const own = config.replaceAll("15s", "1s").replace("9464", String(metrics));
    writeFileSync(join(folder, "prometheus.yml"), own);
    const options = [
      `--web.listen-address=127.0.0.1:${alerts}`,
      `--storage.tsdb.path=${folder}/tsdb`,
    ];
    start("prometheus", [`--config.file=${folder}/prometheus.yml`, ...options]);
    server = serve();
    await untilAnswered(async () => (await json("/readyz")).status === "ready");
  });

  afterAll(async () => {
    for (const child of started) child.kill("SIGKILL");
    const running = started.filter((child) => (child.exitCode ?? child.signalCode) === null);
    await Promise.all(running.map((child) => once(child, "exit")));
    site.close();
  });

  test(
    "a certificate near its end, a nightly run that is missing, no backup",
    async () => {
      for (const name of ["CertificateEnds", "NightlyRunMissing", "BackupOld"]) await fires(name);
      expect(await firing()).not.toContain("SnapshotDamaged");
      expect(backUp().status).toBe(0);
      await isQuiet("BackupOld");
    },
    LIMIT_MS,
  );

  test(
    "a backup that fails",
    async () => {
      renameSync(state!, `${state}.away`);
      expect(backUp().status).toBe(1);
      renameSync(`${state}.away`, state!);
      await fires("BackupOld");
    },
    LIMIT_MS,
  );

  test(
    "a snapshot that the process for backtests finds damaged when it starts; then jobs stand still",
    async () => {
      const id = readFileSync(join(snapshots!, "CURRENT"), "utf8").trim();
      truncateSync(writable(join(snapshots!, id, "prices.arrow")), 100);
      const jobs = Number(/"pid":(\d+)[^\n]*"process":"jobs"/.exec(said)?.[1]);
      process.kill(jobs, "SIGKILL");
      await until(() => said.includes("a snapshot cannot be used"));
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const body = JSON.stringify({ strategy: "ma_cross", coin: "btc", start_date: "2022-01-01" });
      await json("/v1/backtests", port, { method: "POST", headers, body });
      for (const name of ["SnapshotDamaged", "BacktestsDown", "BacktestsWait"]) await fires(name);
      expect(await json("/readyz")).toMatchObject({
        status: "degraded",
        fault: expect.stringContaining("cannot use the snapshot") as string,
      });
    },
    LIMIT_MS,
  );

  test(
    "a server that starts on a damaged snapshot, one without its state, and none",
    async () => {
      server.kill("SIGTERM");
      await once(server, "exit");
      await fires("ServerDown");
      server = serve();
      await isQuiet("ServerDown");
      await fires("SnapshotDamaged");
      rmSync(state!);
      await fires("StoreDown");
      expect(await firing()).not.toContain("ServerDown");
    },
    LIMIT_MS,
  );
});
