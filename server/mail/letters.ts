import type { LinkPurpose } from "../accounts/access-store.ts";

/** A mail: plain text, and the same in plain HTML. No picture, and nothing that tells when it is read. */
export interface Letter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const WORDS: Readonly<Record<LinkPurpose, readonly [subject: string, what: string, does: string]>> =
  {
    sign_in: [
      "Sign in to Hindsight",
      "Somebody, most likely you, wants to sign in to Hindsight with this address.",
      "Sign in",
    ],
    change_address: [
      "Your new address at Hindsight",
      "Somebody, most likely you, wants this to be the address of their account at Hindsight.",
      "Use this address",
    ],
    delete_account: [
      "Delete your account at Hindsight",
      "Somebody, most likely you, wants to delete the account that has this address.",
      "Delete the account",
    ],
  };

/** The mail with a link. */
export function letterOf(purpose: LinkPurpose, link: string): Letter {
  const [subject, what, does] = WORDS[purpose];
  const holds = "The link holds for 15 minutes, and once. It opens a page with a button.";
  const ignore = "If it was not you, do nothing: without the link, nothing happens.";
  return {
    subject,
    text: `${what}\n\n${does}:\n${link}\n\n${holds}\n${ignore}\n`,
    html: htmlOf([what, `<a href="${escaped(link)}">${does}</a>`, holds, ignore]),
  };
}

/** Tells an address that its account has left it. */
export function movedLetter(publicUrl: string): Letter {
  const what = "The account at Hindsight that had this address has another one now.";
  const since = `If it was not you, write to the operator of ${publicUrl} at once.`;
  return {
    subject: "Your account at Hindsight has another address",
    text: `${what}\n\n${since}\n`,
    html: htmlOf([what, escaped(since)]),
  };
}

function htmlOf(paragraphs: readonly string[]): string {
  const body = paragraphs.map((each) => `<p>${each}</p>`).join("\n");
  return `<!doctype html>\n<html lang="en"><body>\n${body}\n</body></html>\n`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
