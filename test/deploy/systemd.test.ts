import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { describeWith, run } from "../support/deploy-tools.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const UNITS = "deploy/systemd";
const SERVICES = ["server@4", "worker", "pipeline", "pull", "backup", "failed@x"].map(
  (name) => `hindsight-${name}.service`,
);
/** Of ten; a service without any setting has 9.6. */
const EXPOSURE_MAX = 2.5;

describeWith("systemd-analyze")("the units of systemd", () => {
  let path: Record<string, string>;

  beforeAll(() => {
    const folder = temporaryFolder("units");
    cpSync(UNITS, folder, { recursive: true });
    for (const file of readdirSync(folder).filter((name) => name.endsWith(".service"))) {
      const text = readFileSync(join(folder, file), "utf8")
        .replaceAll("/opt/hindsight", process.cwd())
        .replaceAll("ExecStart=node", `ExecStart=${process.execPath}`);
      writeFileSync(join(folder, file), text);
    }
    path = { SYSTEMD_UNIT_PATH: `${folder}:` };
  });

  test("have no fault that systemd finds", () => {
    const timers = ["pipeline", "pull", "backup"].map((name) => `hindsight-${name}.timer`);
    const { status, said } = run("systemd-analyze", ["verify", ...SERVICES, ...timers], path);
    expect(said).not.toContain("hindsight");
    expect(status).toBe(0);
  });

  test.each(SERVICES)("%s is exposed little", (service) => {
    const { said } = run("systemd-analyze", ["security", "--offline=true", service], path);
    const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(said) ?? [];
    expect(Number(exposure)).toBeLessThanOrEqual(EXPOSURE_MAX);
  });
});
