import type { LinkPurpose } from "../records.ts";

/** A mail as plain text and as plain HTML. It has no picture, and nothing that tracks whether it is read. */
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
      "Somebody, most likely you, wants to use this address for their account at Hindsight.",
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
  const valid = "The link works once, within 15 minutes. It opens a page with a button.";
  const ignore = "If this was not you, ignore this mail: without the link, nothing happens.";
  return {
    subject,
    text: `${what}\n\n${does}:\n${link}\n\n${valid}\n${ignore}\n`,
    html: htmlOf([what, `<a href="${escaped(link)}">${does}</a>`, valid, ignore]),
  };
}

/** The mail that tells the old address that its account has another one. */
export function movedLetter(publicUrl: string): Letter {
  const what = "Your account at Hindsight no longer uses this address.";
  const since = `If this was not you, write to the operator of ${publicUrl} at once.`;
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
