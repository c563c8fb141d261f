import type { FileHandle } from "node:fs/promises";
import type { Caller } from "../../accounts/accounts.ts";
import { Attribution } from "../../api/attribution.ts";
import { CHECKSUMS_FILE, type ManifestFile } from "../../snapshots/manifest.ts";
import { parseSnapshotId } from "../../snapshots/snapshot-id.ts";
import { byteRange } from "../http/byte-range.ts";
import { DomainError, failureOf } from "../http/errors.ts";
import type { PendingResponse } from "../http/http-handler.ts";
import { quoted } from "../http/quoted.ts";
import { JSON_TYPE, NO_STORE, retryAfter } from "../http/reply.ts";
import { matchesEtag } from "../http/request-fields.ts";
import { downloadLines } from "./formats/csv.ts";
import { nearestTo } from "../routes/nearest.ts";
import { keyRefusal, outOfQuota } from "./refusals.ts";
import {
  guardedLater,
  sendError,
  snapshotAnswers,
  type Call,
  type RequestContext,
} from "./send-reply.ts";
import { hasPrices, isAbout, originOf, tableOfFile, type SentSnapshot } from "./table-files.ts";
import { invalidLink, keyOfLink } from "./table-links.ts";

const PATH = /^([^/]*)\/?(.*)$/s;
const CURRENT_FILE = "CURRENT";
const CURRENT = "current";
const TEXT_TYPE = "text/plain; charset=utf-8";
const TYPES: Readonly<Record<string, string>> = {
  parquet: "application/vnd.apache.parquet",
  arrow: "application/vnd.apache.arrow.file",
  json: JSON_TYPE,
};
const BODIES_RETRY_SECONDS = 1;

/** A file of a snapshot, as it was requested. */
interface Asked {
  readonly snapshot: SentSnapshot;
  readonly file: ManifestFile;
}

/**
 * Answers a request for a file of a snapshot, `path` being what follows `/snapshots/`, in this order: key or link, file,
 * condition and range, bytes of the day, charge, send. It does not count for the rate limit.
 */
export function answerTable(
  response: PendingResponse,
  path: string,
  context: RequestContext,
): void {
  const call = { response, request: response.request, context };
  void guardedLater(call, undefined, async () => {
    const [, id = "", name = ""] = PATH.exec(path)!; // it fits anything
    const caller = await callerOf(call, id, name);
    if (caller === undefined) return;
    call.request.accountId = caller.accountId;
    const { id: current } = snapshotAnswers(call).snapshot;
    if (path === CURRENT_FILE) return sendCurrent(call, current);
    const asked = await fileOf(call, id === CURRENT ? current : id, name, current);
    if (id === CURRENT) sendToCurrent(call, asked);
    else await sendPart(call, caller, asked);
  });
}

/** The account of the key in the header, or of the link if there is none. Refuses a request without either. */
async function callerOf(
  { request, response, context }: Call,
  snapshot: string,
  file: string,
): Promise<Caller | undefined> {
  const { authorization, authorizationCount, query, nowMs } = request;
  const { accounts } = context.parts;
  if (authorizationCount === 0) {
    const link = { snapshot, file, query };
    try {
      const keyId = query === "" ? undefined : keyOfLink(await accounts.secret(), link, nowMs);
      const caller = keyId === undefined ? undefined : await accounts.callerOf(keyId, nowMs);
      if (caller !== undefined) return caller;
      if (keyId !== undefined) throw invalidLink();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      context.refuseKey(response, { failure: failureOf(error) });
      return undefined;
    }
  } else if (authorizationCount === 1) {
    const caller = await accounts.authenticate(authorization, nowMs);
    if (caller !== undefined) return caller;
  }
  context.refuseKey(response, keyRefusal(request));
  return undefined;
}

/** Finds a file in the list of its snapshot. Throws DomainError. */
async function fileOf(
  { context }: Call,
  id: string,
  name: string,
  current: string,
): Promise<Asked> {
  const snapshot = await snapshotOf(context, id, current);
  const file = snapshot.files.get(name);
  if (file === undefined) {
    const [nearest] = nearestTo(name, [...snapshot.files.keys()], 1);
    const message = `snapshot ${quoted(id)} has no file ${quoted(name)}; nearest: "${nearest}"`;
    throw new DomainError("not_found", message);
  }
  if (context.parts.withholdsPrices === true && hasPrices(name)) {
    const message = `${quoted(name)} has daily prices, which this operator may not pass on`;
    throw new DomainError("not_shared", message);
  }
  return { snapshot, file };
}

/** A snapshot that is kept. Throws DomainError. */
export async function snapshotOf(
  { parts: { tables } }: Pick<RequestContext, "parts">,
  id: string,
  current: string,
): Promise<SentSnapshot> {
  const ids = await tables.ids();
  const found = ids.includes(id) ? await tables.find(id) : undefined;
  if (found !== undefined) return found;
  if (parseSnapshotId(id) !== undefined) {
    const message = `snapshot ${quoted(id)} is not kept any more; the current one is "${current}"`;
    throw new DomainError("snapshot_gone", message);
  }
  const [nearest = CURRENT] = nearestTo(id, [CURRENT, CURRENT_FILE, ...ids], 1);
  throw new DomainError("not_found", `there is no snapshot ${quoted(id)}; nearest: "${nearest}"`);
}

function sendCurrent({ response, request, context }: Call, current: string): void {
  const headers = NO_STORE + context.commonLines(request);
  response.send({ status: "200 OK", headers, contentType: TEXT_TYPE, body: `${current}\n` });
}

/** Leads to the current snapshot's own address, whose content never changes. A part of it is refused: parts of two files would mix. */
function sendToCurrent({ response, request, context }: Call, { snapshot, file }: Asked): void {
  const path = `/v1/snapshots/${snapshot.manifest.id}/${file.name}`;
  if (request.range !== "") {
    const message = `parts of "current" could come from two snapshots; read ${context.parts.publicUrl}${path}`;
    throw new DomainError("range_of_current", message);
  }
  const headers = `\r\nLocation: ${path}${NO_STORE}${context.commonLines(request)}`;
  // Without a length of its body, an answer with this status lasts as long as its connection.
  const body = `${path}\n`;
  response.send({ status: "307 Temporary Redirect", headers, contentType: TEXT_TYPE, body });
}

async function sendPart(call: Call, caller: Caller, asked: Asked): Promise<void> {
  const { request, response, context } = call;
  const { file } = asked;
  const lines = linesOf(asked);
  const headers = lines.all + context.commonLines(request);
  if (request.ifNoneMatch !== "" && matchesEtag(request.ifNoneMatch, lines.etag)) {
    response.send({ status: "304 Not Modified", headers });
    return;
  }
  const { range, ifRange } = request;
  const isPart = range !== "" && ["", lines.etag, lines.modified].includes(ifRange);
  const part = isPart ? byteRange(range, file.bytes) : { start: 0, length: file.bytes };
  if (part === undefined) {
    const message = `"Range" must be one range of the ${file.bytes} bytes, as in bytes=0-99, got ${quoted(range)}`;
    const lines = `\r\nContent-Range: bytes */${file.bytes}`;
    throw new DomainError("range_not_satisfiable", message, { lines });
  }
  const { start, length } = part;
  const contentRange = `\r\nContent-Range: bytes ${start}-${start + length - 1}/${file.bytes}`;
  const reply = {
    status: isPart ? "206 Partial Content" : "200 OK",
    headers: isPart ? headers + contentRange : headers,
    contentType: typeOf(file.name),
  };
  const opened = await openFile(call, asked);
  let end: (() => void) | undefined;
  const over = () => {
    end?.();
    void opened.close();
  };
  try {
    if (request.method === "HEAD") response.send({ ...reply, bodyBytes: length });
    else end = await admit(call, caller, asked);
    if (end === undefined || !response.open) return over();
    const taken = (bytes: number) => context.tableUse.took(caller.accountId, bytes);
    const failed = (failure: unknown) => context.defect(request, failure);
    response.send({ ...reply, file: { file: opened, taken, over, failed, ...part } });
  } catch (error) {
    over();
    throw error;
  }
}

/** Lets an account have a file that it may have and has paid for, and returns how to end that. Throws DomainError, or sends that its quota is spent. */
async function admit(
  call: Call,
  caller: Caller,
  { snapshot, file }: Asked,
): Promise<(() => void) | undefined> {
  const { request, context } = call;
  const { tableUse } = context;
  const seconds = tableUse.wait(caller.accountId, request.nowMs);
  if (seconds > 0) {
    const message = `this account has had its bytes of tables of this UTC day; retry in ${seconds} s`;
    throw new DomainError("bytes_exceeded", message, { lines: retryAfter(seconds) });
  }
  const end = tableUse.begin(caller.accountId);
  if (end === undefined) {
    const message = "too many tables of this account are under way; retry shortly";
    throw new DomainError("unavailable", message, { lines: retryAfter(BODIES_RETRY_SECONDS) });
  }
  try {
    const path = `${snapshot.manifest.id}/${file.name}`;
    const charge = isAbout(file.name) ? "paid" : await tableUse.charge(caller, path, request.nowMs);
    if (charge !== "paid" && charge.charged) context.charged(request, 1);
    if (charge === "paid" || charge.charged) return end;
    sendError(call, outOfQuota(charge), { quota: charge.quota });
    end();
    return undefined;
  } catch (error) {
    end();
    throw error;
  }
}

/** Opens a file. Throws DomainError if its snapshot has been pruned since it was found. */
async function openFile(call: Call, { snapshot, file }: Asked): Promise<FileHandle> {
  try {
    return await call.context.parts.tables.open(snapshot, file);
  } catch (error) {
    const { id: current } = snapshotAnswers(call).snapshot;
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      await snapshotOf(call.context, snapshot.manifest.id, current);
    throw error;
  }
}

function linesOf({ snapshot: { manifest }, file: { name, sha256 } }: Asked) {
  const etag = `"${sha256}"`;
  const modified = new Date(manifest.createdAt).toUTCString();
  const attribution = Attribution.from(originOf(manifest));
  const digest = Buffer.from(sha256, "hex").toString("base64");
  const all =
    `\r\nETag: ${etag}\r\nRepr-Digest: sha-256=:${digest}:\r\nAccept-Ranges: bytes` +
    `\r\nLast-Modified: ${modified}\r\nCache-Control: private, max-age=31536000, immutable` +
    downloadLines(attribution, tableOfFile(name), /\.\w+$/.exec(name)?.[0] ?? "");
  return { etag, modified, all };
}

function typeOf(name: string): string {
  if (name === CHECKSUMS_FILE) return TEXT_TYPE;
  return TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
}
