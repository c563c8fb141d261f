const ENTITY_TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\uffff]*"/g;

/** Whether `If-None-Match` names this entity tag, by weak comparison, or is `*` (RFC 9110, 13.1.2). */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch.trim() === "*") return true;
  const wanted = opaque(etag);
  for (const [tag] of ifNoneMatch.matchAll(ENTITY_TAG)) {
    if (opaque(tag) === wanted) return true;
  }
  return false;
}

function opaque(etag: string): string {
  return etag.startsWith("W/") ? etag.slice(2) : etag;
}
