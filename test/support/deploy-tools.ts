import { spawnSync } from "node:child_process";
import { describe } from "vitest";

/**
 * `describe` for tests of a file in `deploy/` with the programs that read it. If one is missing the tests are skipped
 * with a notice, unless HINDSIGHT_REQUIRE_DEPLOY=1, as in CI.
 */
export function describeWith(...tools: readonly string[]) {
  const missing = tools.filter((tool) => spawnSync("which", [tool]).status !== 0);
  if (missing.length === 0 || process.env["HINDSIGHT_REQUIRE_DEPLOY"] === "1") return describe;
  process.stderr.write(`tests of deploy/ are skipped: this machine has no ${missing.join(", ")}\n`);
  return describe.skip;
}

/** Runs a tool. `out` is its standard output, `said` includes its errors. */
export function run(
  tool: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): { readonly status: number | null; readonly said: string; readonly out: string } {
  const ended = spawnSync(tool, args, { encoding: "utf8", env: { ...process.env, ...env } });
  const said = `${ended.stdout}${ended.stderr}${ended.error?.message ?? ""}`;
  return { status: ended.status, said, out: ended.stdout };
}
