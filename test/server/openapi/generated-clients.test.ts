import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { servedDocument } from "../../support/server-schema.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A folder that .ci/client-tools has filled: no package of ours brings these programs. */
const TOOLS = process.env["HINDSIGHT_CLIENT_TOOLS"];
if (TOOLS === undefined)
  process.stderr.write(
    "tests of generated clients are skipped: HINDSIGHT_CLIENT_TOOLS is not set\n",
  );

const TYPESCRIPT = `
import type { components } from "./document.d.ts";
type Schemas = components["schemas"];
export function sharpe(job: Schemas["BacktestData"]): number | null {
  if (job.status === "done") return job.result.sharpe;
  if (job.status === "error") throw new Error(job.error.code);
  return job.result;
}
export const run: Schemas["PostBacktestBody"] = { strategy: "ma_cross", start_date: "2024-01-01" };
export const luck: Schemas["PostOverfittingBody"] = { sharpe: 1.8, length_days: 730, n_trials: 100 };
// @ts-expect-error there is no such template
export const unknown: Schemas["PostBacktestBody"]["strategy"] = "ma_corss";
`;
const PYTHON = `
from document import BacktestData, PostBacktestBody


def sharpe(job: BacktestData) -> float | None:
    if job["status"] == "done":
        return job["result"]["sharpe"]
    if job["status"] == "error":
        raise RuntimeError(job["error"]["code"])
    return job["result"]


run: PostBacktestBody = {"strategy": "ma_cross", "start_date": "2024-01-01"}
`;

describe.runIf(TOOLS !== undefined)("generated from the document", () => {
  const folder = temporaryFolder("generated-clients");
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(join(TOOLS!, program), args, { cwd: folder, encoding: "utf8", stdio: "pipe" });
  beforeAll(() => writeFileSync(join(folder, "document.json"), JSON.stringify(servedDocument())));

  test("types of TypeScript compile, and tell a job apart by its status", () => {
    const flags = ["--default-non-nullable=false", "-o", "document.d.ts"];
    run("node_modules/.bin/openapi-typescript", "document.json", ...flags);
    writeFileSync(join(folder, "program.ts"), TYPESCRIPT);
    const strict = ["--strict", "--noEmit", "--allowImportingTsExtensions", "program.ts"];
    expect(
      run("node_modules/.bin/tsc", ...strict, "--module", "nodenext", "--target", "es2022"),
    ).toBe("");
  });

  test("types of Python pass mypy's strict checks, and tell a job apart by its status", () => {
    const types = ["--output-model-type", "typing.TypedDict", "--output", "document.py"];
    const source = ["--input", "document.json", "--input-file-type", "openapi"];
    run("venv/bin/datamodel-codegen", ...source, ...types, "--target-python-version", "3.11");
    writeFileSync(join(folder, "program.py"), PYTHON);
    expect(run("venv/bin/mypy", "--strict", "program.py")).toContain("Success: no issues found");
  });

  test("redocly finds no error", () => {
    const lint = ["lint", "document.json", "--format=json"];
    const { totals } = JSON.parse(run("node_modules/.bin/redocly", ...lint)) as {
      totals: { errors: number };
    };
    expect(totals.errors).toBe(0);
  });
});
