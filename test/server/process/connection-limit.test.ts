import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { connectionLimit } from "../../../server/process/connection-limit.ts";
import { EchoHandler, listenForTest } from "../../support/echo-handler.ts";
import { requestText, sendRaw } from "../../support/http-raw.ts";
import { until } from "../../support/until.ts";

test.each([
  [1024, 896],
  [256, 128],
  [64, 16],
  [Infinity, Infinity],
])("of %d open files, %d are for connections", (files, connections) => {
  const log = { warn: () => {} };
  expect(connectionLimit(log, () => 0, files).connectionsMax).toBe(connections);
});

test("connections above the limit are closed, with one line in ten seconds and what to do", async () => {
  const lines: unknown[] = [];
  let nowMs = 0;
  const log = { warn: (details: object, message: string) => lines.push([details, message]) };
  const limit = connectionLimit(log as never, () => nowMs, 8);
  const server = await listenForTest(new EchoHandler(), limit);
  const open = () => connect(server.port, "127.0.0.1").on("error", () => {});
  const held = [open(), open()];
  await until(() => server.connections() === 2);
  for (const passed of [0, 9_999, 1]) {
    nowMs += passed;
    await once(open().resume(), "close");
  }
  const message = expect.stringContaining("raise its limit (LimitNOFILE, ulimit -n)");
  expect(lines).toEqual([
    [{ open_files_max: 8, refused: 1 }, message],
    [{ open_files_max: 8, refused: 2 }, message],
  ]);
  expect(server.connections()).toBe(2);
  for (const socket of held) socket.destroy();
  await until(() => server.connections() === 0);
  const { responses } = await sendRaw(server.port, requestText("GET /next"));
  expect(
    responses.map(({ status }) => status),
    "and there is room again",
  ).toEqual([200]);
});
