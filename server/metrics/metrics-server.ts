import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import type { Logger } from "pino";

/** Prometheus's name for its text format (exposition formats, version 0.0.4). */
const TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8";
/** A scrape is given up once it has made no progress for this long, for example because its answer is not read. */
const SCRAPE_LIMIT_MS = 10_000;
/** More than scrape at once. Each takes one of the file descriptors that clients' connections must leave free. */
const CONNECTIONS_MAX = 16;

export interface MetricsOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Whether the start fails if the port is taken. If not, the process runs without metrics. */
  readonly required: boolean;
}

export interface MetricsServer {
  readonly url: string;
  close(): void;
}

/** Serves `/metrics` on a port of its own, which is not open to the world. Undefined if a port that is not required is taken. */
export async function serveMetrics(
  { host, port, required }: MetricsOptions,
  log: Pick<Logger, "error" | "warn">,
  text: () => Promise<string>,
): Promise<MetricsServer | undefined> {
  const server = createServer((request, response) => void answer(text, log, request, response));
  server.timeout = SCRAPE_LIMIT_MS;
  server.maxConnections = CONNECTIONS_MAX;
  server.maxRequestsPerSocket = 1; // pipelined scrapes, all begun at once, would hold up everything else
  try {
    return await listening(server, host, port);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = `cannot serve metrics on ${host}:${port}: ${code ?? message}`;
    if (required) throw new Error(reason, { cause: error });
    log.warn({ reason }, "no metrics: give this process a port of its own with --metrics-port");
    return undefined;
  }
}

async function listening(server: Server, host: string, port: number): Promise<MetricsServer> {
  server.listen(port, host);
  await once(server, "listening");
  server.on("error", () => {}); // a connection that the system cannot give, which would end the process
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${name}:${(server.address() as AddressInfo).port}/metrics`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(
  text: () => Promise<string>,
  log: Pick<Logger, "error">,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? "").split("?")[0];
  response.setHeader("connection", "close");
  if (path !== "/metrics") {
    response.writeHead(404, { "content-type": "text/plain" }).end("metrics are at /metrics\n");
  } else if (request.method !== "GET" && request.method !== "HEAD") {
    response.writeHead(405, { allow: "GET, HEAD" }).end();
  } else {
    try {
      const body = await text();
      const headers = { "content-type": TEXT_FORMAT };
      response.writeHead(200, headers).end(request.method === "HEAD" ? undefined : body);
    } catch (error) {
      log.error({ err: error }, "the metrics cannot be read");
      response.writeHead(500, { "content-type": "text/plain" }).end("the metrics failed\n");
    }
  }
}
