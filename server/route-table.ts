import { normalisedPath } from "./http/path.ts";
import type { OpenResource } from "./service.ts";
import { BASE_PATHS, type Endpoint } from "./routes/endpoint.ts";

/** What a path leads to. */
export type Route = Endpoint | OpenResource | "healthz" | "readyz";

export interface FoundRoute {
  readonly route: Route;
  /** The last segment, where the route is one of things by their id; else "". */
  readonly id: string;
}

/** Every path the service answers. */
export class RouteTable {
  readonly #exact = new Map<string, FoundRoute>();
  /** By what stands before the last slash. */
  readonly #byId = new Map<string, Endpoint>();

  constructor(endpoints: readonly Endpoint[], open: ReadonlyMap<string, OpenResource>) {
    for (const base of BASE_PATHS) {
      for (const endpoint of endpoints) {
        const path = base + endpoint.path;
        if (endpoint.kind === "poll") this.#byId.set(path, endpoint);
        else this.#exact.set(path, { route: endpoint, id: "" });
      }
    }
    for (const [path, route] of open) this.#exact.set(path, { route, id: "" });
    this.#exact.set("/healthz", { route: "healthz", id: "" });
    this.#exact.set("/readyz", { route: "readyz", id: "" });
  }

  find(sentPath: string): FoundRoute | undefined {
    const path = normalisedPath(sentPath);
    const exact = this.#exact.get(path);
    if (exact !== undefined) return exact;
    const slash = path.lastIndexOf("/");
    const route = this.#byId.get(path.slice(0, slash));
    const id = path.slice(slash + 1);
    return route === undefined || id === "" ? undefined : { route, id };
  }
}

const READ = ["GET", "HEAD", "OPTIONS"];
const WRITE = ["POST", "OPTIONS"];

export function methodsOf(route: Route): readonly string[] {
  return takesBody(route) ? WRITE : READ;
}

export function takesBody(route: Route): boolean {
  return typeof route === "object" && "kind" in route && "body" in route;
}
