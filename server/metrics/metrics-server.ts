import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** Prometheus's name for its text format (exposition formats, version 0.0.4). */
const TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8";
/** A scrape that stands still for this long, such as one whose answer nobody reads, is given up. */
const SCRAPE_LIMIT_MS = 10_000;
/** More than scrape at once. Each takes one of the descriptors that are kept back from the clients' connections. */
const CONNECTIONS_MAX = 16;

export interface MetricsServerOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Text of all metrics now. */
  readonly text: () => Promise<string>;
  /** Reports a scrape that failed. */
  readonly report: (error: unknown) => void;
}

export interface MetricsServer {
  /** Where it listens, with the path. */
  readonly url: string;
  close(): void;
}

/** Serves `/metrics` on a port of its own, to keep it off the port that is open to the world. */
export function serveMetrics(options: MetricsServerOptions): Promise<MetricsServer> {
  const { host, port } = options;
  const server = createServer((request, response) => void answer(options, request, response));
  server.timeout = SCRAPE_LIMIT_MS;
  server.maxConnections = CONNECTIONS_MAX;
  server.maxRequestsPerSocket = 1; // pipelined scrapes, all begun at once, would hold up everything else
  return new Promise((resolve, reject) => {
    // Stays: a connection that the system cannot give is an error too, and without a listener ends the process.
    server.on("error", (cause: NodeJS.ErrnoException) => {
      const reason = cause.code ?? cause.message;
      reject(new Error(`cannot serve metrics on ${host}:${port}: ${reason}`, { cause }));
    });
    server.listen(port, host, () => {
      const address = server.address();
      const bound = typeof address === "object" && address !== null ? address.port : port;
      const name = host.includes(":") ? `[${host}]` : host;
      resolve({
        url: `http://${name}:${bound}/metrics`,
        close() {
          server.close();
          server.closeAllConnections();
        },
      });
    });
  });
}

async function answer(
  { text, report }: MetricsServerOptions,
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
      report(error);
      response.writeHead(500, { "content-type": "text/plain" }).end("the metrics failed\n");
    }
  }
}
