import { closest, distance } from "fastest-levenshtein";
import { normalisedPath } from "../http/url.ts";
import { BASE_PATHS, type Endpoint } from "../routes/endpoint.ts";
import type { OpenResource } from "./site.ts";

/** The most edits from a path to the one that was probably meant, also as a share of its name, and the longest such path. */
const MEANT_DISTANCE_MAX = 3;
const MEANT_PART_MAX = 0.5;
const MEANT_LENGTH_MAX = 64;

/** A longer path is none of ours. Decoding it would take as long as 30 answers. */
const DECODED_LENGTH_MAX = 256;

/** What is found at a path. */
type Route = Endpoint | OpenResource | "healthz" | "readyz" | "mcp";

export interface FoundRoute {
  readonly route: Route;
  /** The route, if it is an endpoint. */
  readonly endpoint: Endpoint | undefined;
  readonly methods: readonly string[];
  /** The path's last segment, if the route takes an id; otherwise "". */
  readonly id: string;
  /** The index of its name in `names`. */
  readonly index: number;
}

/** The index of the name that all pages of snapshots and accounts share. */
export const PAGES = 1;

/** Every path the service answers. */
export class RouteTable {
  readonly #exact = new Map<string, FoundRoute>();
  /** Routes that take an id, by the path before the last slash. */
  readonly #byId = new Map<string, Omit<FoundRoute, "id">>();
  /** Names of the routes, for metrics. The first is for requests without a route. */
  readonly names: string[] = ["none", "/pages"];

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
      this.#add(path, route, path.startsWith("/docs") ? "/docs" : path);
    }
    this.#add("/healthz", "healthz", "/healthz");
    this.#add("/readyz", "readyz", "/readyz");
    this.#add("/mcp", "mcp", "/mcp");
  }

  #add(path: string, route: Route, name: string): void {
    this.#exact.set(path, { ...aboutOf(route), id: "", index: this.#indexOf(name) });
  }

  /** The paths that contain no id. */
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
    const path = sentPath.length > DECODED_LENGTH_MAX ? sentPath : normalisedPath(sentPath);
    const exact = this.#exact.get(path);
    if (exact !== undefined) return exact;
    const slash = path.lastIndexOf("/");
    const found = this.#byId.get(path.slice(0, slash));
    const id = path.slice(slash + 1);
    return found === undefined || id === "" ? undefined : { ...found, id };
  }

  /** The existing path that an unknown one was probably meant to be. `pages` are further paths that exist. */
  meantBy(path: string, pages: readonly string[]): string | undefined {
    if (path.length > MEANT_LENGTH_MAX || isBeginningOfBase(path)) return undefined;
    const bare = path.replace(/\/+$/, "");
    const prefixed = [bare, `${BASE_PATHS[0]}${bare}`].find((known) => this.find(known));
    if (prefixed !== undefined) return prefixed;
    const nameLength = bare.length - bare.lastIndexOf("/") - 1;
    const allowed = Math.min(MEANT_DISTANCE_MAX, nameLength * MEANT_PART_MAX);
    // Two texts are at least as far apart as their lengths.
    const near = [...this.#exact.keys(), ...pages].filter(
      (each) => Math.abs(each.length - bare.length) <= allowed,
    );
    const nearest = near.length === 0 ? undefined : closest(bare, near);
    if (nearest !== undefined && distance(bare, nearest) <= allowed) return nearest;
    // Such as /v1/signals/btc or /v1/signals.json.
    const isWithin = (whole: string) =>
      path.startsWith(whole) && /^[^\w-]/.test(path.slice(whole.length));
    return this.paths.find((whole) => whole !== "/" && isWithin(whole));
  }
}

/** Whether a path is only the beginning of a base path. No endpoint is nearer to it than any other. */
function isBeginningOfBase(path: string): boolean {
  return BASE_PATHS.some((base) => `${base}/`.startsWith(path));
}

const READ = ["GET", "HEAD", "OPTIONS"];
const WRITE = ["POST", "OPTIONS"];

/** A found route without its id and index. */
function aboutOf(route: Route): Omit<FoundRoute, "id" | "index"> {
  const endpoint = typeof route === "object" && "kind" in route ? route : undefined;
  const takesBody =
    route === "mcp" ||
    (endpoint !== undefined && ("body" in endpoint || endpoint.kind === "check"));
  return { route, endpoint, methods: takesBody ? WRITE : READ };
}

/** The route of a page of a snapshot, or of what it loads. */
export function pageRoute(page: OpenResource): FoundRoute {
  return { ...aboutOf(page), id: "", index: PAGES };
}
