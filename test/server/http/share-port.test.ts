import { expect, test } from "vitest";
import type { HttpHandler } from "../../../server/http/http-handler.ts";
import { listen, type HttpServer } from "../../../server/http/socket.ts";

/** Never called: no request is sent here. */
const handler = () => ({ paths: [] }) as unknown as HttpHandler;
const HOST = "127.0.0.1";

test("a port is shared only by servers that all ask for it", async () => {
  const open: HttpServer[] = [];
  try {
    const alone = await listen(HOST, 0, handler);
    open.push(alone);
    await expect(listen(HOST, alone.port, handler)).rejects.toThrow("the port is in use");
    await expect(listen(HOST, alone.port, handler, { sharePort: true })).rejects.toThrow(
      "does not share it",
    );
    alone.close();

    const { port } = alone;
    open.push(await listen(HOST, port, handler, { sharePort: true }));
    open.push(await listen(HOST, port, handler, { sharePort: true }));
    await expect(listen(HOST, port, handler)).rejects.toThrow("the port is in use");
  } finally {
    for (const server of open) server.close();
  }
});
