import type { ArrivalClock } from "./arrival-clock.ts";
import { ComputeCall, ReadCall } from "./charged-calls.ts";
import type { AccountCall } from "./account-call.ts";
import { PollCall, SubmitCall, type JobContext } from "./job-calls.ts";
import type { Accounts } from "../accounts/accounts.ts";
import { FrequentRefusals } from "./frequent-refusals.ts";
import { CorsPolicy } from "../http/cors.ts";
import { errorReplies, retryAfter, type ErrorReplies } from "../http/error-replies.ts";
import { failureOf, type Failure } from "../http/errors.ts";
import type { Exchange, HttpHandler } from "../http/exchange.ts";
import { quoted } from "../http/quoted.ts";
import { NO_STORE, type Reply } from "../http/reply.ts";
import { requestIds } from "../http/request-id.ts";
import type { HttpRequest } from "../http/request.ts";
import type { SharedBody } from "../http/shared-body.ts";
import { BASE_PATHS, type Endpoint } from "../routes/endpoint.ts";
import { UsageCall } from "./usage-call.ts";
import { RouteTable, type OpenResource } from "./route-table.ts";
import type { SnapshotAnswers } from "./snapshot-answers.ts";

export interface ServiceOptions {
  readonly accounts: Accounts;
  readonly jobs: JobContext["jobs"];
  readonly endpoints: readonly Endpoint[];
  /** By path. */
  readonly open: ReadonlyMap<string, OpenResource>;
  /** Where clients reach this server, without a trailing slash. */
  readonly publicUrl: string;
  readonly corsOrigins: readonly string[];
  readonly nowMs: () => number;
  /** When requests arrive, on a clock that never jumps. The accounts read it too. */
  readonly arrivals: ArrivalClock;
  readonly log: ServiceLog;
  /** Makes the counter, given the names of the routes; undefined if nobody counts. */
  readonly meterOf?: ((routes: readonly string[]) => ServiceMeter) | undefined;
}

/** Counts what the service does. It is called for every request, so it must cost next to nothing. */
export interface ServiceMeter {
  over(request: HttpRequest, reply: Reply | undefined): void;
  charged(request: HttpRequest, units: number): void;
  /** A request failed because the accounts could not answer. */
  outage(error: Error): void;
}

export interface ServiceLog {
  /** Called once a request is over; undefined if nobody wants to know. */
  readonly over?: ((request: HttpRequest, reply: Reply | undefined) => void) | undefined;
  defect(request: HttpRequest, error: unknown): void;
  /** Called for every request that failed because the accounts could not answer. */
  outage(error: Error): void;
}

const DRAINING_RETRY_SECONDS = 5;
const NO_SNAPSHOT_RETRY_SECONDS = 2;

/**
 * The service behind the socket: finds the route, answers what needs no key, and starts a call for everything
 * else.
 */
export class Service implements HttpHandler {
  readonly accounts: Accounts;
  readonly errorReply: ErrorReplies;
  readonly refusals: FrequentRefusals;
  readonly newRequestId = requestIds();
  readonly nowMs: () => number;
  /** Replaced by a single assignment, so that every request sees one snapshot. */
  answers: SnapshotAnswers | undefined = undefined;
  /** While true, endpoints answer 503: the process is about to end. */
  draining = false;
  readonly jobs: JobContext["jobs"];
  readonly publicUrl: string;
  readonly #routes: RouteTable;
  readonly #cors: CorsPolicy;
  readonly #log: ServiceLog;
  readonly #meter: ServiceMeter | undefined;
  readonly #arrivals: ArrivalClock;

  constructor(options: ServiceOptions) {
    this.accounts = options.accounts;
    this.errorReply = errorReplies(options.publicUrl);
    this.refusals = new FrequentRefusals(this.errorReply);
    this.nowMs = options.nowMs;
    this.#cors = new CorsPolicy(options.corsOrigins);
    this.#log = options.log;
    this.jobs = options.jobs;
    this.publicUrl = options.publicUrl;
    this.#routes = new RouteTable(options.endpoints, options.open);
    this.#meter = options.meterOf?.(this.#routes.names);
    this.#arrivals = options.arrivals;
  }

  get paths(): readonly string[] {
    return this.#routes.paths;
  }

  handle(exchange: Exchange): void {
    const arrivals = this.#arrivals;
    exchange.request.startedMs = arrivals.hold();
    try {
      this.#handle(exchange);
    } finally {
      arrivals.release();
    }
  }

  #handle(exchange: Exchange): void {
    const { request } = exchange;
    const found = this.#routes.find(request.path);
    if (found === undefined) {
      exchange.send(this.#notFound(request));
      return;
    }
    const { route, endpoint, id, methods: allowed } = found;
    request.route = found.index;
    if (request.method === "OPTIONS") {
      exchange.send(this.#preflight(request, allowed));
    } else if (!allowed.includes(request.method)) {
      exchange.send(this.#notAllowed(request, allowed));
    } else if (endpoint !== undefined) {
      this.#call(exchange, endpoint, id);
    } else if (route === "healthz") {
      exchange.send(this.#json(request, { status: "ok" }));
    } else if (route === "readyz") {
      exchange.send(this.#readiness(request));
    } else {
      void this.#sendOpen(exchange, route as OpenResource);
    }
  }

  #notFound(request: HttpRequest): Reply {
    const message = `no such path ${quoted(request.path)}; ${this.#whereTo(request.path)}`;
    return this.#error(request, { code: "not_found", message });
  }

  #notAllowed(request: HttpRequest, allowed: readonly string[]): Reply {
    const message = `this path takes ${allowed.join(", ")}, got ${quoted(request.method)}`;
    const lines = `\r\nAllow: ${allowed.join(", ")}`;
    return this.#error(request, { code: "method_not_allowed", message }, lines);
  }

  #whereTo(path: string): string {
    const meant = this.#routes.meantBy(path);
    const known = `the documentation is at /docs, the endpoints are under ${BASE_PATHS.join(" and ")}`;
    return meant === undefined ? known : `did you mean ${quoted(meant)}? ${known}`;
  }

  wantsBody(request: HttpRequest): boolean {
    if (request.method !== "POST") return false;
    const found = this.#routes.find(request.path);
    return found?.takesBody === true;
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
    this.#log.over?.(request, reply);
  }

  charged(request: HttpRequest, units: number): void {
    this.#meter?.charged(request, units);
  }

  defect(request: HttpRequest, error: unknown): Reply {
    this.#log.defect(request, error);
    return this.errorReply(failureOf(error));
  }

  outage(error: Error): void {
    this.#meter?.outage(error);
    this.#log.outage(error);
  }

  commonLines(request: HttpRequest): string {
    return this.#cors.lines(request.origin);
  }

  #call(exchange: Exchange, endpoint: Endpoint, id: string): void {
    if (this.draining) {
      exchange.send({ ...this.#shuttingDown(exchange.request), close: true });
      return;
    }
    const call = this.#callOf(exchange, endpoint, id);
    try {
      call.start();
    } catch (error) {
      call.fail(error);
    }
  }

  #callOf(
    exchange: Exchange,
    endpoint: Endpoint,
    id: string,
  ): AccountCall<JobContext> | AccountCall {
    switch (endpoint.kind) {
      case "read":
        return new ReadCall(this, exchange, endpoint);
      case "compute":
        return new ComputeCall(this, exchange, endpoint);
      case "submit":
        return new SubmitCall(this, exchange, endpoint);
      case "poll":
        return new PollCall(this, exchange, id);
      case "usage":
        return new UsageCall(this, exchange);
    }
  }

  #readiness(request: HttpRequest): Reply {
    if (this.draining) return this.#shuttingDown(request);
    if (this.answers === undefined) {
      const message = "no snapshot is loaded yet";
      return this.#error(
        request,
        { code: "unavailable", message },
        retryAfter(NO_SNAPSHOT_RETRY_SECONDS),
      );
    }
    return this.#json(request, { status: "ready", snapshot: this.answers.snapshot.id });
  }

  #shuttingDown(request: HttpRequest): Reply {
    const failure = { code: "unavailable", message: "the server is shutting down" } as const;
    return this.#error(request, failure, retryAfter(DRAINING_RETRY_SECONDS));
  }

  #preflight(request: HttpRequest, allowed: readonly string[]): Reply {
    const methods = allowed.join(", ");
    const lines =
      request.requestedMethod === "" ? "" : this.#cors.preflightLines(request.origin, methods);
    const common = this.commonLines(request);
    return {
      status: "204 No Content",
      headers: `${NO_STORE}\r\nAllow: ${methods}${common}${lines}`,
    };
  }

  async #sendOpen(exchange: Exchange, resource: OpenResource): Promise<void> {
    const { request } = exchange;
    try {
      const body = resource.body ?? (await resource.make());
      exchange.send(this.#openReply(request, resource, body));
    } catch (error) {
      this.defect(request, error);
      exchange.send(this.#error(request, failureOf(error)));
    }
  }

  #openReply(request: HttpRequest, resource: OpenResource, body: SharedBody): Reply {
    return {
      status: "200 OK",
      headers: `${NO_STORE}\r\nVary: Accept-Encoding${resource.headers ?? ""}${this.commonLines(request)}`,
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
