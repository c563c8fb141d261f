import { z } from "zod";
import { errorRefs } from "./openapi-errors.ts";

/** What is served at the root, without a key. */
export const KEYLESS_OPERATIONS = [
  {
    path: "/healthz",
    operationId: "getHealth",
    name: "Health",
    description: "the process is up",
    body: z.strictObject({ status: z.literal("ok") }),
    errors: errorRefs(400, 405),
  },
  {
    path: "/readyz",
    operationId: "getReadiness",
    name: "Readiness",
    description: "a snapshot is loaded and requests are answered",
    body: z.strictObject({ status: z.literal("ready"), snapshot: z.string() }),
    errors: errorRefs(400, 405, 503),
  },
];
