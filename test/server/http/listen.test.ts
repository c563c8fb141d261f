import { expect, test } from "vitest";
import { listen } from "../../../server/http/socket.ts";
import { EchoHandler, listenForTest } from "../../support/echo-handler.ts";

const echo = new EchoHandler();

test("a port in use is refused in plain words", async () => {
  const server = await listenForTest(echo);
  await expect(listen("127.0.0.1", server.port, () => echo)).rejects.toThrow(
    `cannot listen on 127.0.0.1:${server.port}: the port is in use`,
  );
  await expect(listen("203.0.113.1", 0, () => echo)).rejects.toThrow("not one of this machine");
  const privileged = listen("203.0.113.1", 80, () => echo);
  await expect(privileged).rejects.toThrow("is one that only root may take");
});
