import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { Command } from "commander";
import { ApiRefused, apiCalls, type ApiAnswer } from "../server/assistants/api-call.ts";
import { toolServer, type CheckPath } from "../server/assistants/tools.ts";
import { packageVersion } from "../server/package-version.ts";
import { settable } from "./shared-options.ts";

const run = promisify(execFile);
/** More than the report of the largest file. */
const REPORT_BYTES_MAX = 64 * 1024 * 1024;

/** `hindsight mcp`: the tools of assistants over standard input and output. Files are checked here and not sent. */
export function mcpCommand(): Command {
  return new Command("mcp")
    .addOption(
      settable("--url <url>", "the Hindsight server that is asked").default(
        "http://127.0.0.1:8080",
      ),
    )
    .addOption(settable("--key <key>", "your key; better given as HINDSIGHT_KEY"))
    .action(({ url, key }: { readonly url: string; readonly key?: string }) => {
      const call = apiCalls(url, key === undefined ? "" : `Bearer ${key}`);
      serveStdio(() => toolServer({ version: packageVersion(), call, checkPath }));
    });
}

/** By this program's own command, within its limits. Its exit code says whether the verdict passed. */
const checkPath: CheckPath = async (path, { n_trials, coin }) => {
  const about = coin === undefined ? [] : ["--coin", coin];
  const command = [process.argv[1]!, "check", "--json", "--n-trials", String(n_trials), ...about];
  const asked = run(process.execPath, [...command, "--", path], { maxBuffer: REPORT_BYTES_MAX });
  const ended = await asked.catch((error: unknown) => error as { stdout: string; stderr: string });
  const data = ended.stdout.startsWith("{") ? (JSON.parse(ended.stdout) as Data) : {};
  if (data["verdict"] !== undefined) return { data };
  const { message } = (data["error"] ?? {}) as { readonly message?: string };
  throw new ApiRefused(message ?? ended.stderr.trim());
};

type Data = NonNullable<ApiAnswer["data"]>;
