import { beforeEach, describe, expect, test } from "vitest";
import { drawToken } from "../../../accounts/access-tokens.ts";
import { LINK_LIMITS } from "../../../accounts/shares.ts";
import type { SignIn } from "../../../accounts/sign-in.ts";
import {
  accessSteps,
  asking,
  linkTo,
  made,
  NO_BROWSER,
  outcomeOf,
  signedIn,
  widthsOf,
} from "./access-steps.ts";
import { benchOfEachTest, DAY_MS, type AccountsBench } from "./bench.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** The contract of what networks, addresses and mailboxes share. */
export function sharesContract(open: () => Promise<AccountsBench>): void {
  const bench = benchOfEachTest(open);
  const signIns = accessSteps(bench);
  let signIn: SignIn;
  beforeEach(async () => {
    signIn = await signIns();
  });
  let asks = 0;

  /** What becomes of a form for an address that nobody has asked for. */
  async function ask(networks: readonly string[], email = `a${asks++}@example.com`) {
    const asked = await signIn.askSignIn(email, { networks, once: drawToken(), isKnown: false });
    return typeof asked === "string" ? asked : "made";
  }

  /** How many of many forms become a link, each from the network that is given for its number. */
  async function madeOf(count: number, networkOf: (n: number) => readonly string[]) {
    let links = 0;
    for (let n = 0; n < count; n++) links += Number((await ask(networkOf(n))) === "made");
    return links;
  }

  /** Uses up what there is for all, from as many sites as that takes. */
  async function fill() {
    const links = await madeOf(LINK_LIMITS.all, (n) =>
      widthsOf(`full ${Math.floor(n / 10)}`, `full ${Math.floor(n / 20)}`, "full"),
    );
    expect(links, "a provider has its share").toBe(LINK_LIMITS.networks[2]);
    const more = LINK_LIMITS.all - links;
    expect(await madeOf(more, (n) => widthsOf(`more ${Math.floor(n / 10)}`))).toBe(more);
  }

  describe("shares of links", () => {
    test("are ten an hour of a network, twenty of its site and sixty of its provider", async () => {
      const [one, site, provider] = LINK_LIMITS.networks;
      expect(await madeOf(15, () => widthsOf("one", "site", "provider"))).toBe(one);
      expect(await madeOf(50, (n) => widthsOf(`other ${n}`, "site", "provider"))).toBe(site - one);
      const rest = await madeOf(100, (n) => widthsOf(`next ${n}`, `site ${n}`, "provider"));
      expect(rest).toBe(provider - site);
      expect(await ask(widthsOf("one", "site", "provider"))).toBe("limited_network");
      expect(await ask(widthsOf("elsewhere"))).toBe("made");
      await bench().pass(HOUR_MS);
      expect(await ask(widthsOf("one", "site", "provider"))).toBe("made");
    });

    test("leave a site that was not seen this hour its first link, whoever took the others", async () => {
      await fill();
      expect(await ask(widthsOf("new", "new site"))).toBe("made");
      expect(await ask(widthsOf("newer", "new site"))).toBe("limited_all");
      expect(await ask(widthsOf("newer", "newer site"))).toBe("made");
      expect(await ask([]), "a network without limits").toBe("limited_all");
    });

    test("end for everybody at the most, but for browsers that have signed in before", async () => {
      const sites = await madeOf(10 * LINK_LIMITS.all + 20, (n) => widthsOf(`n${n}`));
      expect(sites).toBe(10 * LINK_LIMITS.all);
      expect(await ask(widthsOf("new"))).toBe("limited_all");
      made(await signIn.askSignIn("ann@example.com", asking("new", true)));
    });

    test("let a browser that has signed in with the address pass, and take nothing for it", async () => {
      const networks = widthsOf("one");
      await madeOf(20, () => networks);
      for (let n = 0; n < 5; n++) await ask(widthsOf(`attacker ${n}`), "ann@example.com");
      const known = { networks, isKnown: true };
      for (let n = 0; n < LINK_LIMITS.address; n++)
        made(await signIn.askSignIn("ann@example.com", { ...known, once: drawToken() }));
      const more = await signIn.askSignIn("ann@example.com", { ...known, once: drawToken() });
      expect(more).toBe("limited_address");
      const others = await madeOf(20, (n) => widthsOf(`${n}`, networks[1], networks[2]));
      expect(others, "the site's are left").toBe(10);
    });

    test("know a browser by the address that it has signed in with alone", async () => {
      const { account } = await signedIn(signIn, "ann@example.com");
      const cookie = await signIn.knownCookie(account.email);
      expect(await (await signIns()).knows(cookie, "ANN@example.com ")).toBe(true);
      expect(await signIn.knows(cookie, "bob@example.com")).toBe(false);
      for (const guess of ["", drawToken(), cookie.slice(1)])
        expect(await signIn.knows(guess, "ann@example.com")).toBe(false);
      expect(await bench().dump()).not.toContain(cookie);
    });

    test("are counted for a form that is posted twice once", async () => {
      const form = asking("one");
      made(await signIn.askSignIn("ann@example.com", form));
      expect(await signIn.askSignIn("ann@example.com", form)).toBe("repeated");
      expect(await madeOf(20, () => form.networks)).toBe(LINK_LIMITS.networks[0] - 1);
    });

    test("are the same for addresses with and without an account", async () => {
      await bench().account("free", "ann@example.com");
      await fill();
      const [known, unknown] = ["ann@example.com", "bob@example.com"];
      expect(await ask(widthsOf("more 0"), known)).toBe(await ask(widthsOf("more 0"), unknown));
      expect(await ask(widthsOf("new"), known)).toBe(await ask(widthsOf("newer"), unknown));
    });

    test("of a mail that was not sent are given back to the address, and not to the network", async () => {
      const results: string[] = [];
      for (let n = 0; n < 12; n++) {
        const asked = await signIn.askSignIn("ann@example.com", asking("one"));
        results.push(typeof asked === "string" ? asked : "made");
        if (typeof asked !== "string") await signIn.withdraw(asked);
      }
      expect(results.filter((each) => each === "made")).toHaveLength(LINK_LIMITS.networks[0]);
      expect(results.at(-1)).toBe("limited_network");
      expect(await ask(widthsOf("two"), "ann@example.com")).toBe("made");
    });

    test("are kept under keyed hashes", async () => {
      await linkTo(signIn, "ann@example.com", "203.0.113.7");
      for (const text of ["ann@", "203.0.113", "site of", "all"])
        expect(await bench().dump()).not.toContain(text);
    });
  });

  describe("links to an address", () => {
    test("are three an hour, then one in ten minutes, whoever asks", async () => {
      const results: string[] = [];
      for (let minute = 0; minute < 60; minute++) {
        results.push(await ask(widthsOf(`attacker ${minute}`), "ann@example.com"));
        await bench().pass(MINUTE_MS);
      }
      const links = results.flatMap((each, minute) => (each === "made" ? [minute] : []));
      expect(links).toEqual([0, 1, 2, 10, 20, 30, 40, 50]);
    });

    test("cannot be used up: a link in force is always in the mailbox, or the next ask sends one", async () => {
      let newest = "";
      for (let minute = 0; minute < 240; minute++) {
        newest = (await linkTo(signIn, "ann@example.com", `attacker ${minute}`)) || newest;
        expect(await signIn.look(newest), `minute ${minute}`).toBeDefined();
        await bench().pass(MINUTE_MS);
      }
    });

    test("to sign in do not hold up a link to delete the account", async () => {
      const { account } = await signedIn(signIn, "ann@example.com");
      for (let n = 0; n < 5; n++) await ask(widthsOf(`attacker ${n}`), "ann@example.com");
      const link = made(await signIn.askDeletion(account, asking("home", true)));
      expect(link.purpose).toBe("delete_account");
    });
  });

  describe("trials", () => {
    const enter = async (email: string, networks: readonly string[] = []) =>
      await outcomeOf(signIn, await linkTo(signIn, email), networks);

    test("are five a day of a network, ten of its site and fifty of its provider", async () => {
      const open = async (count: number, networkOf: (n: number) => readonly string[]) => {
        const outcomes: string[] = [];
        for (let n = 0; n < count; n++) {
          outcomes.push(await enter(`t${asks++}@example.com`, networkOf(n)));
        }
        const opened = outcomes.filter((outcome) => outcome === "signed_in").length;
        expect(outcomes.filter((outcome) => outcome === "limited")).toHaveLength(count - opened);
        return opened;
      };
      expect(await open(7, () => widthsOf("one", "site", "provider"))).toBe(5);
      expect(await open(10, (n) => widthsOf(`two ${n}`, "site", "provider"))).toBe(5);
      const rest = await open(60, (n) => widthsOf(`three ${n}`, `site ${n}`, "provider"));
      expect(rest).toBe(40);
      await bench().pass(DAY_MS);
      expect(await open(1, () => widthsOf("one", "site", "provider"))).toBe(1);
    });

    test("are one of a mailbox in 30 days, whatever its tags, and at Gmail its dots", async () => {
      expect(await enter("farmer@mail.test")).toBe("signed_in");
      expect(await enter("farmer+1@mail.test")).toBe("mailbox");
      expect(await enter("FARMER+2@mail.test")).toBe("mailbox");
      expect(await enter("far.mer@mail.test"), "another mailbox").toBe("signed_in");
      expect(await enter("f.armer+1@gmail.com")).toBe("signed_in");
      expect(await enter("farm.er@googlemail.com")).toBe("mailbox");
      expect(await enter("farmer@mail.test"), "its own account").toBe("signed_in");
      await bench().pass(30 * DAY_MS);
      expect(await enter("farmer+1@mail.test")).toBe("signed_in");
    });

    test("of an account that was deleted are opened again by its own address alone", async () => {
      const { account } = await signedIn(signIn, "farmer+1@mail.test");
      await signIn.admin.deleteAccount(account.id);
      expect(await enter("farmer+2@mail.test")).toBe("mailbox");
      expect(await enter("farmer+1@mail.test")).toBe("signed_in");
    });

    test("are not counted for accounts that an operator opens", async () => {
      await bench().account("free", "ann+1@example.com");
      expect(await enter("ann+2@example.com")).toBe("signed_in");
      await bench().account("free", "ann+3@example.com");
      const token = await linkTo(signIn, "ann+3@example.com");
      expect((await signIn.signIn(token, drawToken(), NO_BROWSER)).outcome).toBe("signed_in");
    });
  });
}
