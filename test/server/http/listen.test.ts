import { once } from "node:events";
import { connect } from "node:net";
import { expect, test, vi } from "vitest";
import { library } from "../../../server/http/socket-library.ts";
import { listen } from "../../../server/http/socket.ts";
import { EchoHandler, listenForTest } from "../../support/echo-handler.ts";
import { until } from "../../support/until.ts";

const echo = new EchoHandler();

test("it stops accepting once, however often it is called, and not after it was closed", async () => {
  const stopping = vi.spyOn(library, "us_listen_socket_close");
  const [open, closed] = [await listenForTest(echo), await listenForTest(echo)];
  const socket = connect(open.port, "127.0.0.1");
  await until(() => open.connections() === 1);
  open.stopAccepting();
  open.stopAccepting();
  const [error] = await once(connect(open.port, "127.0.0.1"), "error");
  expect(error).toMatchObject({ code: "ECONNREFUSED" });
  expect(open.connections()).toBe(1);
  closed.close();
  closed.stopAccepting();
  expect(stopping, "a second time ends the process, sooner or later").toHaveBeenCalledTimes(1);
  stopping.mockRestore();
  open.close();
  await once(socket.resume(), "close");
});

test("a port in use is refused in plain words", async () => {
  const server = await listenForTest(echo);
  await expect(listen("127.0.0.1", server.port, () => echo)).rejects.toThrow(
    `cannot listen on 127.0.0.1:${server.port}: the port is in use`,
  );
  await expect(listen("203.0.113.1", 0, () => echo)).rejects.toThrow("not one of this machine");
  const privileged = listen("203.0.113.1", 80, () => echo);
  await expect(privileged).rejects.toThrow("is one that only root may take");
});
