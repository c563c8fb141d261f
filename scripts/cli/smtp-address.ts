/** What is wrong with the address of a mail server; undefined if nothing is. */
export function smtpFault(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isSmtp = url !== undefined && /^smtps?:$/.test(url.protocol) && url.hostname !== "";
  if (isSmtp && url.search === "" && url.hash === "" && /^\/?$/.test(url.pathname))
    return undefined;
  return "allowed is smtp:// or smtps:// with [user:password@]host[:port]";
}
