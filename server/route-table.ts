import { closest, distance } from "fastest-levenshtein";
import { normalisedPath } from "./http/path.ts";
import type { OpenResource } from "./service.ts";
import { BASE_PATHS, type Endpoint } from "./routes/endpoint.ts";

/** How far off a path may be for the one that was meant to be named, and how long at most. */
const MEANT_DISTANCE_MAX = 3;
const MEANT_LENGTH_MAX = 64;

/** What a path leads to. */
export type Route = Endpoint | OpenResource | "healthz" | "readyz";

export interface FoundRoute {
  readonly route: Route;
  /** The route, where it is an endpoint. */
  readonly endpoint: Endpoint | undefined;
  /** Methods it takes. */
  readonly methods: readonly string[];
  readonly takesBody: boolean;
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
          const index = this.#indexOf(`${endpoint.path}/{id}`);
          this.#byId.set(path, { ...aboutOf(endpoint), index });
        } else {
          this.#add(path, endpoint, endpoint.path);
        }
      }
    }
    for (const [path, route] of open) {
      this.#add(path, route, path === "/" || path.startsWith("/docs") ? "/docs" : path);
    }
    this.#add("/healthz", "healthz", "/healthz");
    this.#add("/readyz", "readyz", "/readyz");
  }

  #add(path: string, route: Route, name: string): void {
    this.#exact.set(path, { ...aboutOf(route), id: "", index: this.#indexOf(name) });
  }

  /** Paths without an id in them. */
  get paths(): readonly string[] {
    return [...this.#exact.keys()];
  }

  #indexOf(name: string): number {
    const known = this.names.indexOf(name);
    return known === -1 ? this.names.push(name) - 1 : known;
  }

  find(sentPath: string): FoundRoute | undefined {
    const asSent = this.#exact.get(sentPath);
    if (asSent !== undefined) return asSent;
    const path = normalisedPath(sentPath);
    const exact = this.#exact.get(path);
    if (exact !== undefined) return exact;
    const slash = path.lastIndexOf("/");
    const found = this.#byId.get(path.slice(0, slash));
    const id = path.slice(slash + 1);
    return found === undefined || id === "" ? undefined : { ...found, id };
  }

  /** The path that one which leads nowhere was probably meant to be. */
  meantBy(path: string): string | undefined {
    if (path.length > MEANT_LENGTH_MAX) return undefined;
    const nearest = closest(path, [...this.#exact.keys()]);
    return distance(path, nearest) <= MEANT_DISTANCE_MAX ? nearest : undefined;
  }
}

const READ = ["GET", "HEAD", "OPTIONS"];
const WRITE = ["POST", "OPTIONS"];

/** What is to be known of a route at every request: asking the many kinds of routes costs more than one kind of answer. */
function aboutOf(route: Route): Omit<FoundRoute, "id" | "index"> {
  const endpoint = typeof route === "object" && "kind" in route ? route : undefined;
  const takesBody = endpoint !== undefined && "body" in endpoint;
  return { route, endpoint, takesBody, methods: takesBody ? WRITE : READ };
}
