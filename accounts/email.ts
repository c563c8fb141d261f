import { z } from "zod";
import { AccountsRefused } from "./refused.ts";

/** The longest address that SMTP can deliver to (RFC 5321 section 4.5.3.1.3, less the angle brackets). */
const EMAIL_MAX = 254;

const Email = z.email().max(EMAIL_MAX);

/** A trimmed, well-formed e-mail address, in its given case. */
export function checkEmail(text: string): string {
  const email = text.trim();
  if (Email.safeParse(email).success) return email;
  throw new AccountsRefused("bad_email", `"${text}" is not an e-mail address`);
}

/** The form by which addresses are compared: those that differ only in case are the same. */
export function emailIdentity(email: string): string {
  return email.trim().toLowerCase();
}

/** The mailbox that mail to an address reaches as a rule: without a `+tag`, and at Gmail without dots. */
export function mailboxOf(email: string): string {
  const [local = "", domain = ""] = emailIdentity(email).split("@");
  const name = local.replace(/(?<=.)\+.*/, "");
  const isGmail = /^(?:gmail|googlemail)\.com$/.test(domain);
  return isGmail ? `${name.replaceAll(".", "")}@gmail.com` : `${name}@${domain}`;
}
