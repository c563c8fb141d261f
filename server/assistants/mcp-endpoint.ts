import { createMcpHandler } from "@modelcontextprotocol/server";
import type { CorsPolicy } from "../http/cors.ts";
import type { HttpRequest } from "../http/request.ts";
import { JSON_TYPE, NO_STORE, type Reply } from "../http/reply.ts";
import { isLoopback } from "../http/url.ts";
import { apiCalls } from "./api-call.ts";
import { toolServer } from "./tools.ts";

export interface McpOptions {
  readonly version: string;
  /** Where this server listens. */
  readonly origin: string;
  readonly publicUrl: string;
  readonly cors: CorsPolicy;
}

/** Answers `POST /mcp`: the Model Context Protocol of 2026-07-28, and of the years before without a session. */
export function mcpEndpoint({ version, origin, publicUrl, cors }: McpOptions) {
  return async (request: HttpRequest): Promise<Reply> => {
    if (!isFromHere(request.origin, publicUrl) && !cors.allows(request.origin))
      return NOT_FROM_HERE;
    // The protocol has had none since 2025-06-18, and thousands in one body would hold the event loop.
    if (/^\s*\[/.test(String(request.body ?? ""))) return NO_BATCH;
    const call = apiCalls(origin, request.authorization, publicUrl);
    // Nothing here changes while a client listens, so no stream is kept open.
    const options = { responseMode: "json", maxSubscriptions: 0 } as const;
    const handler = createMcpHandler(() => toolServer({ version, call }), options);
    const response = await handler.fetch(fetchRequest(request, publicUrl));
    const body = await response.text();
    await handler.close();
    return {
      status: `${response.status} ${response.statusText || "OK"}`,
      headers: NO_STORE,
      contentType: response.headers.get("content-type") ?? "application/json",
      body,
    };
  };
}

/** Whether no page asks, or one of this server or machine: another's may have its name lead here (DNS rebinding). */
function isFromHere(origin: string, publicUrl: string): boolean {
  if (origin === "") return true;
  const { hostname } = URL.canParse(origin) ? new URL(origin) : { hostname: "" };
  return isLoopback(hostname) || hostname === new URL(publicUrl).hostname;
}

const refusal = (status: string, message: string): Reply => ({
  status,
  headers: NO_STORE,
  contentType: JSON_TYPE,
  body: JSON.stringify({ jsonrpc: "2.0", error: { code: -32600, message }, id: null }),
});
const NO_BATCH = refusal("400 Bad Request", "send one request a body, not a batch");
const NOT_FROM_HERE = refusal(
  "403 Forbidden",
  "pages of this origin may not ask; the operator's --cors-origin names those that may",
);

const NAME_OF = {
  accept: "accept",
  contentType: "content-type",
  mcpProtocolVersion: "mcp-protocol-version",
  mcpMethod: "mcp-method",
  mcpName: "mcp-name",
} as const;

function fetchRequest(request: HttpRequest, publicUrl: string): Request {
  const fields = Object.keys(NAME_OF) as (keyof typeof NAME_OF)[];
  const sent = fields.filter((field) => request[field] !== "");
  const headers = Object.fromEntries(sent.map((field) => [NAME_OF[field], request[field]]));
  return new Request(`${publicUrl}/mcp`, {
    method: "POST",
    headers,
    body: String(request.body ?? ""),
  });
}
