import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { SERVER_NODE_FLAGS } from "../../../cli/node-flags.ts";
import { ChildServer } from "../../../scripts/support/child-server.ts";
import { HINDSIGHT } from "../../support/built-script.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** The code of the account pages and the library that sends mail. */
const OF_ACCOUNT_PAGES =
  /\/(server\/account-pages|accounts\/mail|web\/account|node_modules\/nodemailer)\//;

/** The sources that a built server has loaded once its account page was asked for. V8 lists them when it ends. */
async function loadedBy(...options: readonly string[]): Promise<readonly string[]> {
  const folder = temporaryFolder("loaded");
  const files = ["--state", join(folder, "state.db"), "--snapshots", join(folder, "none")];
  const where = ["--port", "0", "--metrics-port", "none", "--job-threads", "0"];
  process.env["NODE_V8_COVERAGE"] = join(folder, "coverage");
  const starting = ChildServer.start({
    flags: SERVER_NODE_FLAGS,
    script: HINDSIGHT,
    args: ["serve", ...where, ...files, ...options],
  });
  delete process.env["NODE_V8_COVERAGE"]; // others of this process do without
  const server = await starting;
  await fetch(`${server.origin}/account`, { headers: { accept: "text/html" } });
  await server.stop();
  const [listed = ""] = readdirSync(join(folder, "coverage"));
  const text = readFileSync(join(folder, "coverage", listed), "utf8");
  const { result } = JSON.parse(text) as { readonly result: readonly { readonly url: string }[] };
  const scripts = result.map(({ url }) => url).filter((url) => url.startsWith("file:"));
  return scripts.flatMap((url) => [url, ...sourcesOf(`${fileURLToPath(url)}.map`)]);
}

/** The sources of a file of the bundle. */
function sourcesOf(map: string): readonly string[] {
  if (!existsSync(map)) return [];
  const { sources } = JSON.parse(readFileSync(map, "utf8")) as { readonly sources: string[] };
  return sources;
}

test("nothing of the pages of accounts is loaded where they are off", async () => {
  const loaded = await loadedBy("--no-accounts-page");
  expect(loaded.some((name) => name.endsWith("/server/main.ts"))).toBe(true);
  expect(loaded.filter((name) => OF_ACCOUNT_PAGES.test(name))).toEqual([]);
});

test("all of it is where they are on and a browser asks", async () => {
  const loaded = (await loadedBy()).filter((name) => OF_ACCOUNT_PAGES.test(name));
  for (const part of ["account-pages.ts", "mailer.ts", "ask-page.tsx", "nodemailer.js"]) {
    expect(loaded.some((name) => name.endsWith(`/${part}`))).toBe(true);
  }
});
