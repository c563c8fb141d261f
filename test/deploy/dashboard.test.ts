import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dateOfDay } from "../../quant/calendar.ts";
import { SERVER_NODE_FLAGS } from "../../cli/node-flags.ts";
import { endOf, runScript, watched } from "../../scripts/support/child-processes.ts";
import { ChildServer } from "../../scripts/support/child-server.ts";
import { freePort } from "../../scripts/support/free-port.ts";
import { HINDSIGHT } from "../support/built-script.ts";
import { describeWith } from "../support/deploy-tools.ts";
import { LAST_DAY, runSmall } from "../support/snapshot-market.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { untilAnswered, untilItPasses } from "../support/until.ts";

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

const DASHBOARD = JSON.parse(readFileSync("deploy/grafana/dashboard.json", "utf8")) as Dashboard;
const QUERIES = DASHBOARD.panels.flatMap(({ title, targets }) =>
  targets.map(({ expr }) => [title, expr.replace("$__rate_interval", "1m")] as const),
);

describeWith("prometheus")("the dashboard of Grafana", () => {
  let server: ChildServer;
  let prometheus: ChildProcess;
  let port: number;

  beforeAll(async () => {
    const folder = temporaryFolder("dashboard");
    const [snapshots, state] = [join(folder, "snapshots"), join(folder, "state.db")];
    await runSmall(snapshots);
    const account = ["--email", "bob@example.com", "--plan", "scale", "--state", state, "--json"];
    const made = await runScript(HINDSIGHT, ["accounts", "create", ...account]);
    const metrics = String(await freePort());
    const where = ["--port", "0", "--metrics-port", metrics, "--job-threads", "1"];
    server = await ChildServer.start({
      flags: SERVER_NODE_FLAGS,
      script: HINDSIGHT,
      args: ["serve", ...where, "--state", state, "--snapshots", snapshots],
    });
    port = await freePort();
    prometheus = watched(startPrometheus(folder, port, metrics));
    await untilItPasses(() => ask("up == 1"));
    const { key } = JSON.parse(made) as { key: string };
    await send(key);
    // What begins with a number other than 0 has no rate yet.
    await untilAnswered(
      async () => (await ask("hindsight_job_wait_duration_seconds_count > 0"))[0],
    );
    await send(key);
  });
  afterAll(async () => {
    const ended = endOf(prometheus);
    prometheus.kill("SIGTERM");
    await Promise.all([ended, server.stop()]);
  });

  /** What the answers are about: an answer, an error, and a backtest. */
  async function send(key: string): Promise<void> {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const body = JSON.stringify({
      coin: "aaa",
      strategy: "ma_cross",
      start_date: dateOfDay(LAST_DAY - 40),
    });
    await fetch(`${server.origin}/v1/signals?coin=aaa`, { headers });
    await fetch(`${server.origin}/v1/signals?coin=none`, { headers });
    const run = await fetch(`${server.origin}/v1/backtests`, { method: "POST", headers, body });
    expect(run.status).toBe(200);
  }

  async function ask(query: string): Promise<readonly { readonly value: [number, string] }[]> {
    const asked = new URLSearchParams({ query });
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/query?${asked.toString()}`);
    const { data, error } = (await answer.json()) as {
      data?: { result: { value: [number, string] }[] };
      error?: string;
    };
    if (data === undefined) throw new Error(error);
    return data.result;
  }

  test.each(QUERIES)("%s shows something: %s", async (_, query) => {
    const found = await untilAnswered(async () => {
      const result = await ask(query);
      return result.some(({ value }) => Number.isFinite(Number(value[1]))) ? result : undefined;
    });
    expect(found?.length).toBeGreaterThan(0);
  });

  test("every series that it names is there", async () => {
    const names = new Set(
      QUERIES.flatMap(([, query]) => query.match(/\b\w+_[a-z_]+(?=[[{) ]|$)/g) ?? []),
    );
    expect(names.size).toBeGreaterThan(8);
    for (const name of names) expect((await ask(name)).length, `of ${name}`).toBeGreaterThan(0);
  });
});

function startPrometheus(folder: string, port: number, metrics: string): ChildProcess {
  const config = join(folder, "prometheus.yml");
  const text = readFileSync("deploy/prometheus/prometheus.yml", "utf8")
    .replaceAll("15s", "1s")
    .replace("127.0.0.1:9464", `127.0.0.1:${metrics}`)
    .replace("rules.yml", `${process.cwd()}/deploy/prometheus/rules.yml`);
  writeFileSync(config, text);
  const where = [`--storage.tsdb.path=${folder}/data`, `--web.listen-address=127.0.0.1:${port}`];
  return spawn("prometheus", [`--config.file=${config}`, ...where], { stdio: "ignore" });
}
