import { normalisedPath } from "./http/path.ts";
import type { OpenResource } from "./service.ts";
import { BASE_PATHS, type Endpoint } from "./routes/endpoint.ts";

/** What a path leads to. */
export type Route = Endpoint | OpenResource | "healthz" | "readyz";

export interface FoundRoute {
  readonly route: Route;
  /** The last segment, where the route is one of things by their id; else "". */
  readonly id: string;
  /** Of its name in `names`. */
  readonly index: number;
}

/** Every path the service answers. */
export class RouteTable {
  readonly #exact = new Map<string, FoundRoute>();
  /** By what stands before the last slash. */
  readonly #byId = new Map<string, Omit<FoundRoute, "id">>();
  /** What the routes are called where they are counted; the first is for requests that led to none. */
  readonly names: string[] = ["none"];

  constructor(endpoints: readonly Endpoint[], open: ReadonlyMap<string, OpenResource>) {
    for (const base of BASE_PATHS) {
      for (const endpoint of endpoints) {
        const path = base + endpoint.path;
        if (endpoint.kind === "poll") {
          this.#byId.set(path, { route: endpoint, index: this.#indexOf(`${endpoint.path}/{id}`) });
        } else {
          this.#add(path, endpoint, endpoint.path);
        }
      }
    }
    for (const [path, route] of open) {
      this.#add(path, route, path.startsWith("/docs") ? "/docs" : path);
    }
    this.#add("/healthz", "healthz", "/healthz");
    this.#add("/readyz", "readyz", "/readyz");
  }

  #add(path: string, route: Route, name: string): void {
    this.#exact.set(path, { route, id: "", index: this.#indexOf(name) });
  }

  #indexOf(name: string): number {
    const known = this.names.indexOf(name);
    return known === -1 ? this.names.push(name) - 1 : known;
  }

  find(sentPath: string): FoundRoute | undefined {
    const path = normalisedPath(sentPath);
    const exact = this.#exact.get(path);
    if (exact !== undefined) return exact;
    const slash = path.lastIndexOf("/");
    const found = this.#byId.get(path.slice(0, slash));
    const id = path.slice(slash + 1);
    return found === undefined || id === "" ? undefined : { ...found, id };
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
