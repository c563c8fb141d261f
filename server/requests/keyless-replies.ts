import { acceptsGzip } from "../http/accept-encoding.ts";
import type { CompressedBody } from "../http/compressed-body.ts";
import { matchesEtag } from "../http/conditional.ts";
import { retryAfter } from "../http/error-replies.ts";
import { failureOf, type Failure } from "../http/errors.ts";
import type { PendingResponse } from "../http/http-handler.ts";
import type { Reply } from "../http/reply.ts";
import type { HttpRequest } from "../http/request.ts";
import { BASE_PATHS } from "../routes/endpoint.ts";
import { LARGE_BYTES, type ByteLimit } from "./byte-limit.ts";
import type { FairQueue } from "../fair-queue.ts";
import { KEYLESS_PER_MINUTE, NetworkRate } from "./network-rate.ts";
import type { Networks } from "./networks.ts";
import type { OpenResource } from "./route-table.ts";
import type { Problem, ProblemPage, Site } from "./site.ts";

const MIB = 1024 * 1024;
/** Bytes of long bodies in ten seconds: to one network, and to all of them. */
const NETWORK_BYTES = 32 * MIB;
const ALL_BYTES = 128 * MIB;
const ALL = "all";
/** Kept by anybody, and asked for again: what has not changed is a 304. */
const REVALIDATED = "\r\nCache-Control: public, no-cache";
const IMMUTABLE = "\r\nCache-Control: public, max-age=31536000, immutable";
const TOO_MANY = "Too many requests";

interface KeylessContext {
  readonly networks: Networks;
  readonly byteLimit: ByteLimit;
  readonly making: FairQueue;
  readonly site: Site;
  readonly error: (request: HttpRequest, failure: Failure, lines?: string) => Reply;
  readonly commonLines: (request: HttpRequest) => string;
  readonly defect: (request: HttpRequest, error: unknown) => void;
}

/** A refusal of a request without a key, made when it is the network's turn. */
export interface Refused extends Problem {
  readonly reply: Reply;
}

/** Answers what needs no key: pages, the documentation, and whatever takes their place. */
export class KeylessReplies {
  readonly #context: KeylessContext;
  readonly #rate = new NetworkRate();

  constructor(context: KeylessContext) {
    this.#context = context;
  }

  /** Counts a request without a valid key. Returns the refusal if its network has sent too many. */
  tooMany({ request, address }: PendingResponse): Refused | undefined {
    const network = this.#context.networks.of(address, request.forwardedFor);
    const seconds = network.isLimited ? this.#rate.admit(network.name, request.nowMs) : 0;
    if (seconds === 0) return undefined;
    const sentence = `Without a key, ${KEYLESS_PER_MINUTE} requests a minute are answered to one network; retry in ${seconds} s.`;
    return { title: TOO_MANY, sentence, reply: this.#limited(request, sentence, seconds) };
  }

  async sendOpen(response: PendingResponse, resource: OpenResource): Promise<void> {
    const { request } = response;
    const { defect, error } = this.#context;
    try {
      await this.#sendBody(response, resource, await resource.body());
    } catch (failure) {
      defect(request, failure);
      const sentence = `This page could not be made. The failure was logged under ${request.id}.`;
      const reply = error(request, failureOf(failure));
      await this.refuse(response, () => ({ title: "Something went wrong", sentence, reply }));
    }
  }

  /** Sends what is made for a request, when it is the network's turn to have it made. */
  async sendMade(
    response: PendingResponse,
    answer: (network: string) => Promise<() => Reply>,
  ): Promise<void> {
    const { networks, defect, error } = this.#context;
    const { request, address } = response;
    const network = networks.of(address, request.forwardedFor);
    try {
      const make = await answer(network.isLimited ? network.name : "");
      await this.#inTurn(response, () => response.send(make()));
    } catch (failure) {
      if (failureOf(failure).code === "internal_error") defect(request, failure);
      response.send(error(request, failureOf(failure)));
    }
  }

  /** Sends a refusal when it is the network's turn: to a browser as a page, to programs as it is. */
  async refuse(response: PendingResponse, refused: () => Refused): Promise<void> {
    await this.#inTurn(response, () => {
      const { reply, ...problem } = refused();
      if (!isForBrowser(response.request)) {
        response.send(reply);
        return undefined;
      }
      const send = (page: ProblemPage) =>
        response.send({ ...reply, ...page, headers: reply.headers + page.headers });
      const withoutPage = (error: unknown) => {
        this.#context.defect(response.request, error);
        response.send(reply);
      };
      try {
        const page = this.#context.site.problem(problem);
        if (page instanceof Promise) return page.then(send).catch(withoutPage);
        send(page);
      } catch (error) {
        withoutPage(error);
      }
      return undefined;
    });
  }

  /** Long bodies take their turn, since writing them takes time, and are limited in sum, since clients may not read them. */
  async #sendBody(
    response: PendingResponse,
    resource: OpenResource,
    body: CompressedBody,
  ): Promise<void> {
    const { request } = response;
    if (!response.open) return;
    const isGzip = acceptsGzip(request.acceptEncoding);
    const headers = this.#headersOf(request, resource, body);
    if (request.ifNoneMatch !== "" && matchesEtag(request.ifNoneMatch, body.etag)) {
      response.send({ status: "304 Not Modified", headers });
      return;
    }
    const encoding = isGzip ? "\r\nContent-Encoding: gzip" : "";
    const { contentType } = resource;
    const reply = { status: "200 OK", headers: headers + encoding, contentType };
    const send = (bytes: Buffer) => response.send({ ...reply, body: bytes });
    if (isGzip && body.gzip.length < LARGE_BYTES) {
      send(body.gzip);
      return;
    }
    const sendLong = (bytes: Buffer) => {
      const seconds = this.#secondsToWait(response, bytes.length);
      if (seconds === 0) {
        send(bytes);
        return;
      }
      const sentence = `Too many bytes of large pages in 10 seconds; retry in ${seconds} s.`;
      response.send(this.#limited(request, sentence, seconds));
    };
    await this.#inTurn(response, () =>
      isGzip ? sendLong(body.gzip) : body.plain().then(sendLong),
    );
  }

  #secondsToWait({ request, address }: PendingResponse, bytes: number): number {
    const { byteLimit, networks } = this.#context;
    const { name } = networks.of(address, request.forwardedFor);
    const { nowMs } = request;
    const own = byteLimit.admit(name, { bytes, limit: NETWORK_BYTES }, nowMs);
    return own > 0 ? own : byteLimit.admit(ALL, { bytes, limit: ALL_BYTES }, nowMs);
  }

  /** Nothing is done for a client that has left. */
  async #inTurn(response: PendingResponse, work: () => void | Promise<void>): Promise<void> {
    const { request } = response;
    const { making, networks, error, defect } = this.#context;
    const { name } = networks.of(response.address, request.forwardedFor);
    try {
      await making.add(name, () => (response.open ? work() : undefined));
    } catch (failure) {
      if (failureOf(failure).code === "internal_error") defect(request, failure);
      response.send(error(request, failureOf(failure)));
    }
  }

  #limited(request: HttpRequest, sentence: string, seconds: number): Reply {
    const message = sentence.charAt(0).toLowerCase() + sentence.slice(1, -1);
    return this.#context.error(request, { code: "rate_limited", message }, retryAfter(seconds));
  }

  #headersOf(
    request: HttpRequest,
    { isImmutable, headers = "" }: OpenResource,
    { etag }: CompressedBody,
  ): string {
    const caching = isImmutable === true ? IMMUTABLE : REVALIDATED;
    const common = this.#context.commonLines(request);
    return `${caching}\r\nETag: ${etag}\r\nVary: Accept-Encoding${headers}${common}`;
  }
}

/** Whether a person waits for a page: the request names HTML, and its path is not one of programs. */
export function isForBrowser(request: HttpRequest): boolean {
  return request.accept.includes("text/html") && !isOfApi(request);
}

export function isOfApi({ path }: HttpRequest): boolean {
  return BASE_PATHS.some((base) => `${path}/`.startsWith(`${base}/`));
}
