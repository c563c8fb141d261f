import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { builtScript } from "../../support/built-script.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { writeRequests } from "../../../scripts/bench/raw-request.ts";
import type * as Load from "../../../scripts/bench/load.ts";

const folder = temporaryFolder("empty-load");
const requestsFile = writeRequests(join(folder, "nothing"), [{ path: "/", key: "" }]);
const load = { requestsFile, seconds: 1, connections: 2 };

// As it is built, because it starts scripts that lie beside it.
const { findGenerator, runLoad } = (await import(builtScript("bench/load"))) as typeof Load;

let server: Server;
afterEach(() => server.close());

async function serverThat(meets: (socket: Socket) => void): Promise<number> {
  server = createServer((socket) => {
    socket.on("error", () => {}); // the generator is gone
    socket.on("data", () => meets(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

describe("a load of which nothing is answered has no figures", () => {
  test.each([...new Set([findGenerator(), "autocannon" as const])])(
    "from %s",
    async (generator) => {
      const origin = `http://127.0.0.1:${await serverThat(() => {})}`;
      await expect(runLoad(generator, { ...load, origin })).rejects.toThrow(
        'no request of "nothing" was answered',
      );
      const silent = await runLoad(generator, { ...load, origin, mayBeSilent: true });
      expect(silent.perSecond).toBe(0);
    },
  );
});
