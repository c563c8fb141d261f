import { expect } from "vitest";
import { dataOf, type ReadEndpoint } from "../../server/routes/endpoint.ts";
import { readQuery } from "../../server/routes/parameters.ts";
import type { SnapshotData } from "../../server/routes/snapshot-data.ts";
import { schemaFaults } from "./server-schema.ts";

const META = { plan: "free", quota: { used: 1, limit: 100, remaining: 99 } };

// oxlint-disable-next-line typescript/no-explicit-any -- answers are read as a stranger would: untyped
export type Data = any;

/** The `data` of an endpoint over a snapshot, as a client gets it, checked against the document. */
export function askOn(snapshot: SnapshotData) {
  return (endpoint: ReadEndpoint, query: string, from = snapshot): Data => {
    const resolved = endpoint.resolve(from, readQuery(endpoint.query, query));
    const data: unknown = JSON.parse(JSON.stringify(dataOf(endpoint, from, resolved)));
    expect(schemaFaults(endpoint.path, 200, { data, meta: META }), `of ${query}`).toEqual([]);
    return data;
  };
}
