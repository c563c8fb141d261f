import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../../server/http/listen.ts";
import { EchoHandler, listenForTest } from "../../support/echo-handler.ts";

const HOST = "127.0.0.1";
const echo = new EchoHandler();
const SHARED = { sharePort: true };

test("a port is shared only by servers that all ask for it, and refused in plain words", async () => {
  const alone = await listenForTest(echo);
  const { port } = alone;
  const inUse = `cannot listen on ${HOST}:${port}: the port is in use`;
  await expect(listen(HOST, port, () => echo)).rejects.toThrow(inUse);
  await expect(listen(HOST, port, () => echo, SHARED)).rejects.toThrow("does not share it");
  alone.close();
  const shared = [1, 2].map(() => listen(HOST, port, () => echo, SHARED));
  for (const server of await Promise.all(shared)) onTestFinished(() => server.close());
  await expect(listen(HOST, port, () => echo)).rejects.toThrow("the port is in use");
});

test("an address of another machine and a port of root's are refused", async () => {
  await expect(listen("203.0.113.1", 0, () => echo)).rejects.toThrow("not one of this machine");
  const privileged = listen("203.0.113.1", 80, () => echo);
  await expect(privileged).rejects.toThrow("is one that only root may take");
});

test("a server does not listen on where its handler cannot be made", async () => {
  let port = 0;
  const failing = listen(HOST, 0, (bound) => {
    port = bound;
    throw new Error("no handler");
  });
  await expect(failing).rejects.toThrow("no handler");
  const after = await listen(HOST, port, () => echo);
  after.close();
});
