import type { Endpoint } from "../routes/endpoint.ts";
import type { SnapshotData } from "../routes/snapshot-data.ts";
import { exampleAccepted, exampleCheck, exampleJobs, exampleUsage } from "./example-answers.ts";

const META = { plan: "developer", quota: { used: 42, limit: 10_000, remaining: 9_958 } };

type Example = readonly [title: string, summary: string, data: object];

/** What an endpoint answers to its examples from a made-up market, as the document lists it. */
export function answerExamples(endpoint: Endpoint, snapshot: SnapshotData): object {
  const examples = answersOf(endpoint, snapshot).map(([title, summary, data]) => [
    exampleName(title),
    { summary, value: { data, meta: META } },
  ]);
  return Object.fromEntries(examples) as object;
}

/** The name under which the document lists an example. */
export function exampleName(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}

function answersOf(endpoint: Endpoint, snapshot: SnapshotData): readonly Example[] {
  switch (endpoint.kind) {
    case "read":
      return Object.entries(endpoint.examples).map(([title, query]) => {
        const resolved = endpoint.resolve(snapshot, endpoint.query.parse(query));
        const asked = new URLSearchParams(query).toString();
        const summary = `${title}: ${endpoint.path}${asked === "" ? "" : `?${asked}`} (made-up prices)`;
        return [title, summary, endpoint.answer(snapshot, resolved)];
      });
    case "compute":
      return Object.entries(endpoint.examples).map(([title, body]) => {
        return [title, title, endpoint.answer(snapshot, endpoint.body.parse(body))];
      });
    case "check":
      return [["a curve", "a made-up curve, the best of 20 variants", exampleCheck(snapshot)]];
    case "submit":
      return [["a job", "a job that was taken in", exampleAccepted(snapshot)]];
    case "poll":
      return Object.entries(exampleJobs(snapshot)).map(([title, data]) => {
        return [title, `${title} (made-up prices)`, data];
      });
    case "usage":
      return [["an account", "a made-up account", exampleUsage(snapshot)]];
  }
}
