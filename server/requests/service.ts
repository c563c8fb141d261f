import { answerRequest } from "./answer-request.ts";
import { CorsPolicy } from "../http/cors.ts";
import { errorReplies, retryAfter, type ErrorReplies } from "../http/error-replies.ts";
import { failureOf, type Failure } from "../http/errors.ts";
import type { BodyUse, PendingResponse, HttpHandler } from "../http/http-handler.ts";
import { quoted } from "../http/quoted.ts";
import { NO_STORE, type Reply } from "../http/reply.ts";
import { requestIds } from "../http/request-id.ts";
import type { HttpRequest } from "../http/request.ts";
import type { SharedBody } from "../http/shared-body.ts";
import { BASE_PATHS, type Endpoint } from "../routes/endpoint.ts";
import { UNAVAILABLE_RETRY_SECONDS } from "./refusals.ts";
import { LargeAnswers } from "./large-answers.ts";
import { MakingQueue } from "./making-queue.ts";
import type { RequestContext, RequestParts } from "./request-context.ts";
import {
  pageRoute,
  RouteTable,
  type FoundRoute,
  type OpenResource,
  type Pages,
} from "./route-table.ts";
import type { Problem, Site } from "./site.ts";
import type { SnapshotAnswers } from "./snapshot-answers.ts";

export interface ServiceOptions extends RequestParts {
  readonly endpoints: readonly Endpoint[];
  /** By path. */
  readonly open: ReadonlyMap<string, OpenResource>;
  readonly site: Site;
  readonly corsOrigins: readonly string[];
  /** A clock that never jumps. */
  readonly monotonicMs: () => number;
  readonly log: ServiceLog;
  /** Whether the accounts can be used now. */
  readonly isReachable: () => Promise<boolean>;
  /** Makes the counter, given the names of the routes; undefined for none. */
  readonly meterOf?: ((routes: readonly string[]) => ServiceMeter) | undefined;
}

/** Counts what the service does. It is called for every request. */
export interface ServiceMeter {
  over(request: HttpRequest, reply: Reply | undefined): void;
  charged(request: HttpRequest, units: number): void;
  /** A request failed because the accounts could not answer. */
  outage(error: Error): void;
}

export interface ServiceLog {
  /** Called once a request is over; undefined if that is not logged. */
  readonly over?: ((request: HttpRequest, reply: Reply | undefined) => void) | undefined;
  defect(request: HttpRequest, error: unknown): void;
  /** Called for every request that failed because the accounts could not answer. */
  outage(error: Error): void;
}

const DRAINING_RETRY_SECONDS = 5;
const IMMUTABLE = "\r\nCache-Control: public, max-age=31536000, immutable";

/** Finds the route and answers what needs no key. Requests to endpoints go on in `answerRequest`. */
export class Service implements HttpHandler, RequestContext {
  readonly parts: ServiceOptions;
  readonly errorReply: ErrorReplies;
  readonly newRequestId = requestIds();
  readonly nowMs: () => number;
  readonly largeAnswers = new LargeAnswers();
  readonly making: MakingQueue;
  /** Replaced by a single assignment, so that every request sees one snapshot. */
  answers: SnapshotAnswers | undefined = undefined;
  /** Replaced along with them. */
  pages: Pages | undefined = undefined;
  /** While true, endpoints answer 503: the process is about to end. */
  draining = false;
  readonly #routes: RouteTable;
  readonly #cors: CorsPolicy;
  readonly #meter: ServiceMeter | undefined;

  constructor(options: ServiceOptions) {
    this.parts = options;
    this.nowMs = options.nowMs;
    this.making = new MakingQueue(options.monotonicMs);
    this.errorReply = errorReplies(options.publicUrl);
    this.#cors = new CorsPolicy(options.corsOrigins);
    this.#routes = new RouteTable(options.endpoints, options.open);
    this.#meter = options.meterOf?.(this.#routes.names);
  }

  get paths(): readonly string[] {
    return this.#routes.paths;
  }

  handle(response: PendingResponse): void {
    const { request } = response;
    request.startedMs = this.parts.monotonicMs();
    const found = this.#routes.find(request.path) ?? this.#pageAt(request.path);
    if (found === undefined) {
      this.#missing(response);
      return;
    }
    const { route, endpoint, id, methods: allowed } = found;
    request.route = found.index;
    if (request.method === "OPTIONS") {
      response.send(this.#preflight(request, allowed));
    } else if (!allowed.includes(request.method)) {
      response.send(this.#notAllowed(request, allowed));
    } else if (endpoint !== undefined) {
      if (this.draining) response.send({ ...this.#shuttingDown(request), close: true });
      else answerRequest(response, endpoint, id, this);
    } else if (route === "healthz") {
      response.send(this.#json(request, { status: "ok" }));
    } else if (route === "readyz") {
      void this.#readiness(request).then((reply) => response.send(reply));
    } else {
      void this.#sendOpen(response, route as OpenResource);
    }
  }

  /** A page of the snapshot in force, or what it loads. */
  #pageAt(path: string): FoundRoute | undefined {
    const page = this.pages?.find(path) ?? this.parts.site.asset(path);
    return page && pageRoute(page);
  }

  #missing(response: PendingResponse): void {
    const { request } = response;
    if (this.pages === undefined && !isOfApi(request)) {
      const reply = this.#unavailable(request, "no snapshot is loaded yet");
      const sentence = "The server has no data yet. Load this page again in a moment.";
      void this.#sendProblem(response, reply, { title: "Not ready yet", sentence });
      return;
    }
    const sentence = `There is no page at ${quoted(request.path)}.`;
    const meant = this.#meantBy(request);
    const problem = { title: "Page not found", sentence, meant };
    void this.#sendProblem(response, this.#notFound(request, meant), problem);
  }

  /** Sends a refusal: to a browser as a page, to programs as it is. */
  async #sendProblem(response: PendingResponse, reply: Reply, problem: Problem): Promise<void> {
    const { request } = response;
    if (!isForBrowser(request)) {
      response.send(reply);
      return;
    }
    try {
      const page = await this.parts.site.problem(problem);
      response.send({ ...reply, ...page, headers: reply.headers + page.headers });
    } catch (error) {
      this.defect(request, error);
      response.send(reply);
    }
  }

  #notFound(request: HttpRequest, meant = this.#meantBy(request)): Reply {
    const hint = meant === undefined ? "" : `did you mean ${quoted(meant)}? `;
    const known = `the documentation is at /docs, the endpoints are under ${BASE_PATHS.join(" and ")}`;
    const message = `no such path ${quoted(request.path)}; ${hint}${known}`;
    return this.#error(request, { code: "not_found", message });
  }

  #meantBy({ path }: HttpRequest): string | undefined {
    return this.#routes.meantBy(path, this.pages?.paths ?? []);
  }

  #notAllowed(request: HttpRequest, allowed: readonly string[]): Reply {
    const message = `this path takes ${allowed.join(", ")}, got ${quoted(request.method)}`;
    const lines = `\r\nAllow: ${allowed.join(", ")}`;
    return this.#error(request, { code: "method_not_allowed", message }, lines);
  }

  useOfBody(request: HttpRequest): BodyUse {
    if (request.method !== "POST") return "dropped";
    const found = this.#routes.find(request.path);
    if (found?.methods.includes("POST") !== true) return "dropped";
    return found.endpoint?.kind === "check" ? "streamed" : "whole";
  }

  badFraming(request: HttpRequest, fault: string): Reply {
    return this.#error(request, { code: "invalid_parameter", message: fault });
  }

  unwantedBody(request: HttpRequest): Reply {
    const found = this.#routes.find(request.path);
    if (found === undefined) return this.#notFound(request);
    if (!found.methods.includes(request.method)) return this.#notAllowed(request, found.methods);
    return this.badFraming(request, `a ${request.method} request takes no body`);
  }

  over(request: HttpRequest, reply: Reply | undefined): void {
    this.#meter?.over(request, reply);
    this.parts.log.over?.(request, reply);
  }

  charged(request: HttpRequest, units: number): void {
    this.#meter?.charged(request, units);
  }

  defect(request: HttpRequest, error: unknown): Reply {
    this.parts.log.defect(request, error);
    return this.errorReply(failureOf(error));
  }

  outage(error: Error): void {
    this.#meter?.outage(error);
    this.parts.log.outage(error);
  }

  commonLines(request: HttpRequest): string {
    return this.#cors.lines(request.origin);
  }

  async #readiness(request: HttpRequest): Promise<Reply> {
    if (this.draining) return this.#shuttingDown(request);
    if (this.answers === undefined) return this.#unavailable(request, "no snapshot is loaded yet");
    const isReachable = await this.parts.isReachable();
    if (!isReachable) return this.#unavailable(request, "the store of accounts is out of reach");
    return this.#json(request, { status: "ready", snapshot: this.answers.snapshot.id });
  }

  #shuttingDown(request: HttpRequest): Reply {
    return this.#unavailable(request, "the server is shutting down", DRAINING_RETRY_SECONDS);
  }

  #unavailable(request: HttpRequest, message: string, seconds = UNAVAILABLE_RETRY_SECONDS): Reply {
    return this.#error(request, { code: "unavailable", message }, retryAfter(seconds));
  }

  #preflight(request: HttpRequest, allowed: readonly string[]): Reply {
    const methods = allowed.join(", ");
    const isPreflight = request.requestedMethod !== "";
    const lines = isPreflight ? this.#cors.preflightLines(request.origin, methods) : "";
    const headers = `${NO_STORE}\r\nAllow: ${methods}${this.commonLines(request)}${lines}`;
    return { status: "204 No Content", headers };
  }

  async #sendOpen(response: PendingResponse, resource: OpenResource): Promise<void> {
    const { request } = response;
    try {
      response.send(this.#openReply(request, resource, await resource.body(request.query)));
    } catch (error) {
      this.defect(request, error);
      const sentence = `This page could not be made. The failure was logged under ${request.id}.`;
      const problem = { title: "Something went wrong", sentence };
      await this.#sendProblem(response, this.#error(request, failureOf(error)), problem);
    }
  }

  #openReply(request: HttpRequest, resource: OpenResource, body: SharedBody): Reply {
    const caching = resource.isImmutable === true ? IMMUTABLE : NO_STORE;
    return {
      status: "200 OK",
      headers: `${caching}\r\nVary: Accept-Encoding${resource.headers ?? ""}${this.commonLines(request)}`,
      contentType: resource.contentType,
      shared: body,
    };
  }

  #json(request: HttpRequest, body: object): Reply {
    return {
      status: "200 OK",
      headers: NO_STORE + this.commonLines(request),
      body: JSON.stringify(body),
    };
  }

  #error(request: HttpRequest, failure: Failure, lines = ""): Reply {
    return this.errorReply(failure, lines + this.commonLines(request));
  }
}

/** Whether a person waits for a page: the request names HTML, and its path is not one of programs. */
function isForBrowser(request: HttpRequest): boolean {
  return request.accept.includes("text/html") && !isOfApi(request);
}

function isOfApi({ path }: HttpRequest): boolean {
  return BASE_PATHS.some((base) => `${path}/`.startsWith(`${base}/`));
}
