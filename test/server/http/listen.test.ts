import { expect, test } from "vitest";
import { listen } from "../../../server/http/socket.ts";
import { EchoHandler, listenForTest } from "../../support/echo-handler.ts";

const HOST = "127.0.0.1";
const echo = new EchoHandler();
const handler = () => echo;

test("an address that cannot be had is refused in plain words", async () => {
  const { port } = await listenForTest(echo);
  await expect(listen(HOST, port, handler)).rejects.toThrow(
    `cannot listen on 127.0.0.1:${port}: the port is in use`,
  );
  await expect(listen("203.0.113.1", 0, handler)).rejects.toThrow("not one of this machine");
  const privileged = listen("203.0.113.1", 80, handler);
  await expect(privileged).rejects.toThrow("is one that only root may take");
});

test("a port is shared only by servers that all ask for it", async () => {
  const alone = await listenForTest(echo);
  const { port } = alone;
  const sharePort = true;
  await expect(listen(HOST, port, handler, { sharePort })).rejects.toThrow("does not share it");
  alone.close();
  const both = [
    await listen(HOST, port, handler, { sharePort }),
    await listen(HOST, port, handler, { sharePort }),
  ];
  try {
    await expect(listen(HOST, port, handler)).rejects.toThrow("the port is in use");
  } finally {
    for (const server of both) server.close();
  }
});
