import type { OperationName } from "../pages/library.ts";
import type { Endpoint } from "../routes/endpoint.ts";
import { ENDPOINTS } from "../routes/endpoints.ts";
import { z } from "zod";
import { errorRefs } from "./openapi-errors.ts";

/** The names of all operations in the order of the document, which need not be made for them. */
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

/** The operations at the root, which need no key. */
export const KEYLESS_OPERATIONS = [
  {
    path: "/healthz",
    operationId: "getHealth",
    name: "Health",
    description: "the process is up",
    body: z.looseObject({ status: z.literal("ok") }),
    errors: errorRefs(400, 405),
  },
  {
    path: "/readyz",
    operationId: "getReadiness",
    name: "Readiness",
    description:
      "a snapshot is loaded and requests are answered; `degraded` where backtests and studies do not run, and `fault` says why",
    body: z.looseObject({
      status: z.enum(["ready", "degraded"]),
      snapshot: z.string(),
      fault: z.string().optional(),
    }),
    errors: errorRefs(400, 405, 503),
  },
];
