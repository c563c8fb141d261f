import type { CompressedBody } from "../http/compressed-body.ts";
import { failureOf } from "../http/errors.ts";
import type { PendingResponse } from "../http/http-handler.ts";
import { retryAfter, type Reply } from "../http/reply.ts";
import type { HttpRequest } from "../http/request.ts";
import { acceptsGzip, matchesEtag } from "../http/request-fields.ts";
import { BASE_PATHS } from "../routes/endpoint.ts";
import { KEYLESS_PER_MINUTE, LARGE_BYTES, NetworkRate } from "./limits.ts";
import { Networks } from "./networks.ts";
import type { RequestContext } from "./send-reply.ts";
import type { OpenResource, Problem, ProblemPage, Site } from "./site.ts";

const MIB = 1024 * 1024;
/** Bytes of long bodies in ten seconds: to one network, and to all of them. */
const NETWORK_BYTES = 32 * MIB;
const ALL_BYTES = 128 * MIB;
const ALL = "all";
/** Kept by any cache, and validated again: what has not changed is a 304. */
const REVALIDATED = "\r\nCache-Control: public, no-cache";
const IMMUTABLE = "\r\nCache-Control: public, max-age=31536000, immutable";

type KeylessContext = Pick<
  RequestContext,
  "byteLimit" | "making" | "error" | "commonLines" | "defect"
>;

/** A refusal of a request without a key: what programs get, and what a page says. */
export interface Refused extends Problem {
  readonly reply: Reply;
}

/** Answers what needs no key: pages, the documentation, and whatever takes their place. */
export class KeylessReplies {
  readonly #context: KeylessContext;
  readonly #site: Site;
  readonly #networks: Networks;
  readonly #rate = new NetworkRate(KEYLESS_PER_MINUTE);

  constructor(context: KeylessContext, site: Site, trustedProxies?: readonly string[]) {
    this.#context = context;
    this.#site = site;
    this.#networks = new Networks(trustedProxies);
  }

  /** Counts a request without a valid key. Returns the refusal if its network has sent too many. */
  tooMany(response: PendingResponse): Refused | undefined {
    const { request } = response;
    const network = this.#networkOf(response);
    const seconds = network.isLimited ? this.#rate.admit(network.names, request.nowMs) : 0;
    if (seconds === 0) return undefined;
    const sentence = `Without a key, ${KEYLESS_PER_MINUTE} requests a minute are answered to one network, and some more to those around it; retry in ${seconds} s.`;
    const reply = this.#limited(request, sentence, seconds);
    return { title: "Too many requests", sentence, reply };
  }

  async sendOpen(response: PendingResponse, resource: OpenResource): Promise<void> {
    const { request } = response;
    try {
      await this.#sendBody(response, resource, await resource.body());
    } catch (failure) {
      this.#context.defect(request, failure);
      const sentence = `This page could not be made. The failure was logged under ${request.id}.`;
      const reply = this.#context.error(request, failureOf(failure));
      await this.refuse(response, () => ({ title: "Something went wrong", sentence, reply }));
    }
  }

  /** Sends what is made for this request alone, when it is the network's turn. */
  async sendMade(
    response: PendingResponse,
    answer: (networks: readonly string[]) => Promise<() => Reply>,
  ): Promise<void> {
    const network = this.#networkOf(response);
    try {
      const make = await answer(network.isLimited ? network.names : []);
      await this.#inTurn(response, () => response.send(make()));
    } catch (failure) {
      this.#fail(response, failure);
    }
  }

  /** Sends a refusal when it is the network's turn: to a browser as a page, to programs as it is. */
  async refuse(response: PendingResponse, refused: () => Refused): Promise<void> {
    const { request } = response;
    let pageOf: ((problem: Problem) => ProblemPage) | undefined;
    if (isForBrowser(request)) {
      pageOf = await this.#site.problemPage().catch((error: unknown) => {
        this.#context.defect(request, error);
        return undefined;
      });
    }
    await this.#inTurn(response, () => {
      const { reply, ...problem } = refused();
      const page = pageOf?.(problem);
      response.send({ ...reply, ...page, headers: reply.headers + (page?.headers ?? "") });
    });
  }

  /** Long bodies wait their turn, since writing them takes time, and are limited in sum, since clients may not read them. */
  async #sendBody(
    response: PendingResponse,
    { contentType, headers = "", isImmutable = false }: OpenResource,
    body: CompressedBody,
  ): Promise<void> {
    const { request } = response;
    if (!response.open) return;
    const caching = `${isImmutable ? IMMUTABLE : REVALIDATED}\r\nETag: ${body.etag}\r\nVary: Accept-Encoding`;
    const lines = caching + headers + this.#context.commonLines(request);
    if (request.ifNoneMatch !== "" && matchesEtag(request.ifNoneMatch, body.etag)) {
      response.send({ status: "304 Not Modified", headers: lines });
      return;
    }
    const isGzip = acceptsGzip(request.acceptEncoding);
    const encoding = isGzip ? "\r\nContent-Encoding: gzip" : "";
    const send = (bytes: Buffer) =>
      response.send({ status: "200 OK", headers: lines + encoding, contentType, body: bytes });
    if (isGzip && body.gzip.length < LARGE_BYTES) {
      send(body.gzip);
      return;
    }
    const sendLong = (bytes: Buffer) => {
      const seconds = this.#secondsToWait(response, bytes.length);
      if (seconds === 0) return send(bytes);
      const sentence = `Too many bytes of large pages in 10 seconds; retry in ${seconds} s.`;
      response.send(this.#limited(request, sentence, seconds));
    };
    const [name] = this.#networkOf(response).names;
    const bytes = isGzip
      ? body.gzip
      : await this.#context.making.addAside(name, () => body.plain());
    await this.#inTurn(response, () => sendLong(bytes));
  }

  #networkOf({ address, request }: PendingResponse) {
    return this.#networks.networkOf(address, request.forwardedFor);
  }

  #secondsToWait(response: PendingResponse, bytes: number): number {
    const { byteLimit } = this.#context;
    const { nowMs } = response.request;
    const own = byteLimit.admit(this.#networkOf(response).names[0], bytes, NETWORK_BYTES, nowMs);
    return own > 0 ? own : byteLimit.admit(ALL, bytes, ALL_BYTES, nowMs);
  }

  /** Nothing is done for a client that has left. */
  async #inTurn(response: PendingResponse, work: () => void): Promise<void> {
    const [name] = this.#networkOf(response).names;
    try {
      await this.#context.making.add(name, () => (response.open ? work() : undefined));
    } catch (failure) {
      this.#fail(response, failure);
    }
  }

  #fail(response: PendingResponse, error: unknown): void {
    const { request } = response;
    const failure = failureOf(error);
    if (failure.code === "internal_error") this.#context.defect(request, error);
    response.send(this.#context.error(request, failure));
  }

  #limited(request: HttpRequest, sentence: string, seconds: number): Reply {
    const message = sentence.charAt(0).toLowerCase() + sentence.slice(1, -1);
    return this.#context.error(request, { code: "rate_limited", message }, retryAfter(seconds));
  }
}

/** Whether a person waits for a page: the request names HTML, and its path is not one of programs. */
function isForBrowser(request: HttpRequest): boolean {
  return request.accept.includes("text/html") && !isOfApi(request);
}

export function isOfApi({ path }: HttpRequest): boolean {
  return BASE_PATHS.some((base) => `${path}/`.startsWith(`${base}/`));
}
