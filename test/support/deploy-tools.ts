import { spawnSync } from "node:child_process";
import { describe } from "vitest";

/**
 * The files in `deploy/` are checked by the programs that read them. Where one is missing its tests are skipped, with a
 * notice, unless HINDSIGHT_REQUIRE_DEPLOY=1, as CI sets it.
 */
export function describeWith(...tools: readonly string[]) {
  const missing = tools.filter((tool) => spawnSync("which", [tool]).status !== 0);
  if (missing.length === 0 || process.env["HINDSIGHT_REQUIRE_DEPLOY"] === "1") return describe;
  process.stderr.write(`tests of deploy/ are skipped: this machine has no ${missing.join(", ")}\n`);
  return describe.skip;
}

/** A tool's exit code and all that it said; `out` is without what it said of errors. */
export function run(
  tool: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): { readonly status: number | null; readonly said: string; readonly out: string } {
  const ended = spawnSync(tool, args, { encoding: "utf8", env: { ...process.env, ...env } });
  const said = `${ended.stdout}${ended.stderr}${ended.error?.message ?? ""}`;
  return { status: ended.status, said, out: ended.stdout };
}
