import type { Endpoint } from "../routes/endpoint.ts";
import type { SnapshotData } from "../routes/snapshot-data.ts";
import { exampleAccepted, exampleCheck, exampleJobs, exampleUsage } from "./example-answers.ts";

const META = { plan: "developer", quota: { used: 42, limit: 10_000, remaining: 9_958 } };

interface Example {
  readonly title: string;
  readonly summary: string;
  readonly data: object;
}

/** What an endpoint answers to its examples from a made-up market, as the document lists it. */
export function answerExamples(endpoint: Endpoint, snapshot: SnapshotData): object {
  const examples = Array.from(answersOf(endpoint, snapshot), ({ title, summary, data }) => [
    exampleName(title),
    { summary, value: { data, meta: META } },
  ]);
  return Object.fromEntries(examples) as object;
}

/** The name under which the document lists an example. */
export function exampleName(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}

function* answersOf(endpoint: Endpoint, snapshot: SnapshotData): Iterable<Example> {
  switch (endpoint.kind) {
    case "read":
      for (const [title, query] of Object.entries(endpoint.examples)) {
        const resolved = endpoint.resolve(snapshot, endpoint.query.parse(query));
        const asked = new URLSearchParams(query).toString();
        const summary = `${title}: ${endpoint.path}${asked === "" ? "" : `?${asked}`} (made-up prices)`;
        yield { title, summary, data: endpoint.answer(snapshot, resolved) };
      }
      return;
    case "compute":
      for (const [title, body] of Object.entries(endpoint.examples)) {
        const data = endpoint.answer(snapshot, endpoint.body.parse(body));
        yield { title, summary: title, data };
      }
      return;
    case "check":
      yield {
        title: "a curve",
        summary: "a made-up curve, the best of 20 variants",
        data: exampleCheck(snapshot),
      };
      return;
    case "submit":
      yield { title: "a job", summary: "a job that was taken in", data: exampleAccepted(snapshot) };
      return;
    case "poll":
      for (const [title, data] of Object.entries(exampleJobs(snapshot))) {
        yield { title, summary: `${title} (made-up prices)`, data };
      }
      return;
    case "usage":
      yield { title: "an account", summary: "a made-up account", data: exampleUsage(snapshot) };
  }
}
