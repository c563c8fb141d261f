import type { OperationName } from "../pages/library.ts";
import type { Endpoint } from "../routes/endpoint.ts";
import { ENDPOINTS } from "../routes/endpoints.ts";
import { KEYLESS_OPERATIONS } from "./keyless-operations.ts";

/** Every operation of the document, in its order, without making the document. */
export function operationNames(): readonly OperationName[] {
  return [
    ...ENDPOINTS.map((endpoint) => ({
      title: `${methodOf(endpoint).toUpperCase()} ${pathOf(endpoint)}`,
      summary: endpoint.summary,
    })),
    ...KEYLESS_OPERATIONS.map(({ path, description }) => ({
      title: `GET ${path}`,
      summary: description,
    })),
  ];
}

export function methodOf(endpoint: Endpoint): "get" | "post" {
  return "body" in endpoint || endpoint.kind === "check" ? "post" : "get";
}

export function pathOf({ kind, path }: Endpoint): string {
  return kind === "poll" ? `${path}/{id}` : path;
}
