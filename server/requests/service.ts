import { staleDays } from "../../api/age.ts";
import { DomainError } from "../http/errors.ts";
import type { BodyUse, PendingResponse, HttpHandler } from "../http/http-handler.ts";
import { quoted } from "../http/quoted.ts";
import { NO_STORE, retryAfter, type Reply } from "../http/reply.ts";
import { BODY_MAX_BYTES, requestIds, type HttpRequest } from "../http/request.ts";
import { BASE_PATHS } from "../routes/endpoint.ts";
import { answerRequest } from "./answer-request.ts";
import { answerTable } from "./answer-table.ts";
import { isOfApi, KeylessReplies } from "./keyless-replies.ts";
import { UNAVAILABLE_RETRY_SECONDS, type Refusal } from "./refusals.ts";
import { pageRoute, PAGES, RouteTable, type FoundRoute } from "./route-table.ts";
import { RequestContext } from "./send-reply.ts";
import type { ServiceMeter, ServiceOptions } from "./service-options.ts";
import type { OpenResource, Pages } from "./site.ts";

const DRAINING_RETRY_SECONDS = 5;
const ACCOUNT_PATH = "/account";
const OPERATORS_ACCOUNTS = "Ask the operator of this server for an account and a key.";

/** Finds the route and answers what needs no key. Requests to endpoints go on in `answerRequest`. */
export class Service extends RequestContext implements HttpHandler {
  readonly newRequestId = requestIds();
  readonly nowMs: () => number;
  /** Replaced along with the answers. */
  pages: Pages | undefined = undefined;
  /** While true, endpoints answer 503: the process is about to end. */
  draining = false;
  protected readonly meter: ServiceMeter | undefined;
  readonly #routes: RouteTable;
  readonly #keyless: KeylessReplies;

  constructor(options: ServiceOptions) {
    super(options);
    this.nowMs = options.nowMs;
    this.#routes = new RouteTable(options.endpoints, options.open);
    this.meter = options.meterOf?.(this.#routes.names);
    this.#keyless = new KeylessReplies(this, options.site, options.trustedProxies);
  }

  get paths(): readonly string[] {
    return this.#routes.paths;
  }

  handle(response: PendingResponse): void {
    const { request } = response;
    request.startedMs = this.parts.monotonicMs();
    const found = this.#routes.find(request.path) ?? this.#pageAt(request.path);
    if (found === undefined) {
      this.#answerKeyless(response, () => this.#sendOther(response));
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
    } else if (route === "table") {
      if (this.draining) response.send({ ...this.#shuttingDown(request), close: true });
      else answerTable(response, id, this);
    } else if (route === "healthz") {
      response.send(this.#json(request, { status: "ok" }));
    } else if (route === "readyz") {
      void this.#readiness(request).then((reply) => response.send(reply));
    } else if (route === "mcp") {
      this.#answerKeyless(response, () => this.#sendToAssistant(response));
    } else {
      const send = () => this.#keyless.sendOpen(response, route as OpenResource);
      this.#answerKeyless(response, send);
    }
  }

  /** A page of the snapshot in force, or what it loads. */
  #pageAt(path: string): FoundRoute | undefined {
    const page = this.pages?.find(path) ?? this.parts.site.asset(path);
    return page && pageRoute(page);
  }

  /** Answers a request that takes no key, unless its network has sent too many. */
  #answerKeyless(response: PendingResponse, answer: () => Promise<void>): void {
    const refused = this.#keyless.tooMany(response);
    void (refused === undefined ? answer() : this.#keyless.refuse(response, () => refused));
  }

  refuseKey(response: PendingResponse, { failure, lines }: Refusal): void {
    const refused = this.#keyless.tooMany(response);
    response.send(refused?.reply ?? this.error(response.request, failure, lines));
  }

  #sendToAssistant(response: PendingResponse): Promise<void> {
    return this.#keyless.sendMade(response, async () => {
      const { request } = response;
      if (request.bodyTooLarge) {
        const message = `the body is over ${BODY_MAX_BYTES / 1024} KiB`;
        throw new DomainError("payload_too_large", message);
      }
      const reply = await this.parts.answerAssistant(request);
      return () => ({ ...reply, headers: reply.headers + this.commonLines(request) });
    });
  }

  /** Answers a path without a route: with a page of accounts, or with a 404. */
  async #sendOther(response: PendingResponse): Promise<void> {
    const { request } = response;
    const { accountPages } = this.parts;
    const methods = accountPages?.methods(request.path);
    if (accountPages === undefined || methods === undefined) {
      await this.#sendMissing(response);
    } else if (!methods.includes(request.method)) {
      response.send(this.#notAllowed(request, methods));
    } else {
      request.route = PAGES;
      await this.#keyless.sendMade(response, (networks) => accountPages.answer(request, networks));
    }
  }

  async #sendMissing(response: PendingResponse): Promise<void> {
    const { request } = response;
    await this.#keyless.refuse(response, () => {
      if (request.path === ACCOUNT_PATH) {
        const reply = this.#notFound(request, undefined);
        return { title: "No accounts are opened here", sentence: OPERATORS_ACCOUNTS, reply };
      }
      if (this.pages === undefined && !isOfApi(request)) {
        const reply = this.#unavailable(request, "no snapshot is loaded yet");
        const sentence = "The server has no data yet. Load this page again in a moment.";
        return { title: "Not ready yet", sentence, reply };
      }
      const sentence = `There is no page at ${quoted(request.path)}.`;
      const meant = this.#meantBy(request);
      const reply = this.#notFound(request, meant);
      return { title: "Page not found", sentence, meant, reply };
    });
  }

  #notFound(request: HttpRequest, meant = this.#meantBy(request)): Reply {
    const hint = meant === undefined ? "" : `did you mean ${quoted(meant)}? `;
    const known = `the documentation is at /docs, the endpoints are under ${BASE_PATHS.join(" and ")}`;
    const message = `no such path ${quoted(request.path)}; ${hint}${known}`;
    return this.error(request, { code: "not_found", message });
  }

  #meantBy({ path }: HttpRequest): string | undefined {
    return this.#routes.meantBy(path, this.pages?.paths ?? []);
  }

  #notAllowed(request: HttpRequest, allowed: readonly string[]): Reply {
    const message = `this path takes ${allowed.join(", ")}, got ${quoted(request.method)}`;
    const lines = `\r\nAllow: ${allowed.join(", ")}`;
    return this.error(request, { code: "method_not_allowed", message }, lines);
  }

  useOfBody(request: HttpRequest): BodyUse {
    if (request.method !== "POST") return "dropped";
    const found = this.#routes.find(request.path);
    const methods = found?.methods ?? this.parts.accountPages?.methods(request.path);
    if (methods?.includes("POST") !== true) return "dropped";
    return found?.endpoint?.kind === "check" ? "streamed" : "whole";
  }

  badFraming(request: HttpRequest, fault: string): Reply {
    return this.error(request, { code: "invalid_parameter", message: fault });
  }

  unwantedBody(request: HttpRequest): Reply {
    const found = this.#routes.find(request.path);
    if (found === undefined) return this.#notFound(request);
    if (!found.methods.includes(request.method)) return this.#notAllowed(request, found.methods);
    return this.badFraming(request, `a ${request.method} request takes no body`);
  }

  over(request: HttpRequest, reply: Reply | undefined): void {
    this.meter?.over(request, reply);
    this.parts.log.over?.(request, reply);
  }

  async #readiness(request: HttpRequest): Promise<Reply> {
    if (this.draining) return this.#shuttingDown(request);
    if (this.answers === undefined) return this.#unavailable(request, "no snapshot is loaded yet");
    const isReachable = await this.parts.isReachable();
    if (!isReachable) return this.#unavailable(request, "the store of accounts is out of reach");
    const { id: snapshot, manifest } = this.answers.snapshot;
    const days = staleDays(manifest.asOf, request.nowMs);
    const about = { snapshot, ...(days !== undefined && { stale: true, age_days: days }) };
    const fault = this.parts.backtestFault?.(snapshot);
    if (fault === undefined) return this.#json(request, { status: "ready", ...about });
    return this.#json(request, { status: "degraded", ...about, fault }); // all but jobs is answered
  }

  #shuttingDown(request: HttpRequest): Reply {
    return this.#unavailable(request, "the server is shutting down", DRAINING_RETRY_SECONDS);
  }

  #unavailable(request: HttpRequest, message: string, seconds = UNAVAILABLE_RETRY_SECONDS): Reply {
    return this.error(request, { code: "unavailable", message }, retryAfter(seconds));
  }

  #preflight(request: HttpRequest, allowed: readonly string[]): Reply {
    const methods = allowed.join(", ");
    const isPreflight = request.requestedMethod !== "";
    const lines = isPreflight ? this.preflightLines(request, methods) : "";
    const headers = `${NO_STORE}\r\nAllow: ${methods}${this.commonLines(request)}${lines}`;
    return { status: "204 No Content", headers };
  }

  #json(request: HttpRequest, body: object): Reply {
    const headers = NO_STORE + this.commonLines(request);
    return { status: "200 OK", headers, body: JSON.stringify(body) };
  }
}
