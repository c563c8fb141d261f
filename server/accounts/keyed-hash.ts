import { createHmac } from "node:crypto";
import { emailIdentity } from "./email.ts";

/** What the store has of an address or a network: nobody without its secret can find out whose it is by trying. */
export function keyedHash(secret: string, kind: "address" | "network", text: string): string {
  return createHmac("sha256", secret).update(`${kind}:${text}`).digest("base64url");
}

export function addressHash(secret: string, email: string): string {
  return keyedHash(secret, "address", emailIdentity(email));
}
