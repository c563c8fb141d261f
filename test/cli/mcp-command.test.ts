import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, test } from "vitest";
import { HINDSIGHT } from "../support/built-script.ts";
import { exportedCurve } from "../support/mcp-files.ts";
import { sharedServer } from "../support/server-fixture.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

interface Said {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
}

test("hindsight mcp has the same tools, and checks a file by its path without sending it", async () => {
  const { server } = await sharedServer();
  const key = await server.key("paid");
  const client = new Client({ name: "test", version: "1" });
  const env = { HINDSIGHT_URL: server.origin, HINDSIGHT_KEY: key };
  const args = [HINDSIGHT, "mcp"];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  const call = async (name: string, input: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: input })) as Said;
  const { tools } = await client.listTools();
  expect(tools).toHaveLength(6);
  expect(tools[0]!.inputSchema.properties).toHaveProperty("path");
  expect((await call("signals", { coin: "btc" })).content[0]!.text).toMatch(/^btc was rated/);

  const file = join(temporaryFolder("mcp"), "my curve; $(x).csv");
  writeFileSync(file, exportedCurve());
  const checked = await call("check_backtest", { path: file, n_trials: 20 });
  expect(checked.content[0]!.text).toContain('"n":20');
  const missing = await call("check_backtest", { path: `${file}.no`, n_trials: 20 });
  expect([missing.isError, missing.content[0]!.text]).toEqual([
    true,
    expect.stringContaining("my curve"),
  ]);
  await client.close();
});
