import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freePort } from "../../scripts/support/free-port.ts";
import { publishDemo } from "../support/publish-demo.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const SCRIPT = "test/deploy/under-systemd.sh";
const LIMIT_MS = 240_000;

function underSystemd(commands: string, snapshots: string, folder: string): string {
  const file = join(folder, "commands");
  writeFileSync(file, commands);
  const options = { encoding: "utf8", timeout: LIMIT_MS, killSignal: "SIGTERM" } as const;
  const { stdout, stderr } = spawnSync(SCRIPT, [snapshots, file], options);
  return stdout + stderr;
}

/** Namespaces take root and a cgroup2, which a container may not have. The walk as an ordinary user remains. */
function canBeHad(): boolean {
  const folder = temporaryFolder("systemd");
  mkdirSync(join(folder, "none"));
  const said = underSystemd("systemctl --version > /dev/null", join(folder, "none"), folder);
  if (said.includes("ended 0")) return true;
  process.stderr.write(`no systemd in namespaces here, its units are only analysed: ${said}\n`);
  return false;
}

describe.runIf(canBeHad())("the units, run by systemd", () => {
  test("answer a backtest, a study, a check, and back up", { timeout: LIMIT_MS }, async () => {
    const folder = temporaryFolder("units-run");
    const snapshots = join(folder, "snapshots");
    await publishDemo(snapshots, "2024-06-01", "2024-06-02T00:10:00Z");
    const [port, metrics] = [await freePort(), await freePort()];
    const rows = Array.from({ length: 300 }, (_, day) => {
      const date = new Date(Date.UTC(2023, 0, 1 + day)).toISOString().slice(0, 10);
      return `${date},${Math.sin(day * 12.9898) / 50}`;
    });
    const commands = `
printf 'HINDSIGHT_PORT=${port}\\nHINDSIGHT_METRICS_PORT=${metrics}\\n' > /etc/hindsight.env
systemctl start hindsight-server@4
curl -fsS --retry 60 --retry-delay 1 --retry-connrefused -o /dev/null http://127.0.0.1:${port}/readyz
cd /opt/hindsight
key="$(runuser -u hindsight -- node dist/scripts/hindsight.js accounts create --email a@example.com --plan scale | grep -o 'hs_live_[A-Za-z0-9]*' | head -n 1)"
ask() { curl -fsS -H "Authorization: Bearer $key" "\${@:2}" "http://127.0.0.1:${port}/v1/$1"; }
run() {
  id="$(ask "$1" -H 'Content-Type: application/json' -d "$2" | grep -o '"job_id":[0-9]*' | cut -d: -f2)"
  for _ in $(seq 100); do ask "$1/$id" | grep -q '"status":"done"' && break || sleep 0.5; done
  echo "$1 $(ask "$1/$id" | grep -o '"status":"[a-z]*"')"
}
run backtests '{"strategy":"donchian_breakout","coin":"btc","start_date":"2021-01-01"}'
run studies '{"strategy":"ma_cross","coin":"btc","start_date":"2021-01-01","parameters":{"fast":[5,10],"slow":[20,50]}}'
printf 'date,return\\n${rows.join("\\n")}\\n' > /tmp/returns.csv
ask 'check?n_trials=5' -H 'Content-Type: text/csv' --data-binary @/tmp/returns.csv | grep -o '"verdict"' | head -n 1
systemctl start hindsight-backup
grep ^CapEff "/proc/$(systemctl show -p MainPID --value hindsight-server@4)/status"
curl -fsS http://127.0.0.1:${metrics}/metrics > /tmp/metrics
grep -E '^hindsight_(backtests_ready|backup_timestamp_seconds) [1-9]' /tmp/metrics | cut -d' ' -f1
systemctl stop hindsight-server@4
`;
    const said = underSystemd(commands, snapshots, folder);
    for (const wanted of [
      'backtests "status":"done"',
      'studies "status":"done"',
      '"verdict"',
      "CapEff:\t0000000000000000",
      "hindsight_backtests_ready",
      "hindsight_backup_timestamp_seconds",
      "ended 0",
    ]) {
      expect(said).toContain(wanted);
    }
  });
});
