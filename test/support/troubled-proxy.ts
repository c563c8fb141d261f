import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/**
 * A proxy that answers as an address says, in the order of the requests to it: ORIGIN/ID/503,half/v1 refuses the first and
 * cuts the second; the rest is passed on. ORIGIN/ID lists what was asked.
 */
export async function troubledProxy(target: string): Promise<{ origin: string; close(): void }> {
  const asked = new Map<string, object[]>();

  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, id = "", answers = "", path] =
      /^\/(\w+)(?:\/([^/]*)(\/.*))?$/.exec(request.url!) ?? [];
    const before = asked.get(id) ?? [];
    if (path === undefined) return void response.end(JSON.stringify(before));
    const { method, headers } = request;
    asked.set(id, [...before, { method, path, headers }]);
    const answer = answers.split(",")[before.length] ?? "";
    if (answer === "silent") return;
    if (answer === "nothing") return void request.socket.destroy();
    if (answer.startsWith("data:"))
      return void response.end(Buffer.from(answer.slice(5), "base64url"));
    if (answer.startsWith("page")) {
      return void response
        .writeHead(Number(answer.slice(4)), { "Content-Type": "text/html" })
        .end(`<html>${"bad gateway ".repeat(99)}`);
    }
    if (answer === "429" || answer === "503") {
      const code = answer === "429" ? "rate_limited" : "unavailable";
      const error = JSON.stringify({ error: { code, message: "wait", docs_url: "" } });
      return void response.writeHead(Number(answer), { "Retry-After": "1" }).end(error);
    }
    const body = method === "POST" ? await buffer(request) : null;
    const sent = { ...headers } as unknown as Record<string, string>;
    for (const own of ["host", "connection", "content-length", "transfer-encoding"])
      delete sent[own];
    const passed = await fetch(target + path, { method: method!, headers: sent, body });
    const content = Buffer.from(await passed.arrayBuffer());
    if (answer === "lost") return void request.socket.destroy();
    const kept = [...passed.headers].filter(
      ([name]) => !/^(content-encoding|content-length|connection)$/.test(name),
    );
    response.writeHead(passed.status, Object.fromEntries(kept));
    if (answer !== "half") return void response.end(content);
    response.write(content.subarray(0, content.length / 2), () => request.socket.destroy());
  }

  const server = createServer((request, response) => {
    reply(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => (server.closeAllConnections(), server.close()),
  };
}
