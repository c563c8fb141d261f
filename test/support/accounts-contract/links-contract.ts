import { beforeEach, describe, expect, test } from "vitest";
import { LINK_MS } from "../../../accounts/records.ts";
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
} from "./access-steps.ts";
import { benchOfEachTest, type AccountsBench } from "./bench.ts";

/** The contract of links and their limits. */
export function linksContract(open: () => Promise<AccountsBench>): void {
  const bench = benchOfEachTest(open);
  const signIns = accessSteps(bench);
  let signIn: SignIn;
  beforeEach(async () => {
    signIn = await signIns();
  });

  describe("a link", () => {
    test("opens an account on trial, without a key, and a session", async () => {
      const token = await linkTo(signIn, "Ann@Example.com");
      expect(await signIn.look(token)).toEqual({
        purpose: "sign_in",
        accountId: null,
        address: "Ann@Example.com",
        askedMs: bench().nowMs,
      });
      const { outcome, cookie } = await signIn.signIn(token, drawToken(), NO_BROWSER);
      expect(outcome).toBe("signed_in");
      const signed = await signIn.session(cookie);
      expect(signed?.account).toMatchObject({ email: "Ann@Example.com", plan: "trial" });
      expect(signed?.session).toMatchObject({
        device: "Firefox on Linux",
        createdMs: bench().nowMs,
      });
      const admin = await bench().admin();
      expect(await admin.listKeys(signed!.account.id)).toEqual([]);
      expect(await admin.listChanges(0, 10)).toEqual([
        {
          number: 1,
          atMs: bench().nowMs,
          who: "page",
          what: "opened on trial",
          accountId: signed!.account.id,
        },
      ]);
    });

    test("leads to the account that has the address, and goes to the address as it is stored", async () => {
      const { account } = await bench().account("scale", "Ann@Example.com");
      const { token, address } = made(await signIn.askSignIn("ANN@EXAMPLE.COM", asking()));
      expect(address).toBe("Ann@Example.com");
      const { cookie } = await signIn.signIn(token, drawToken(), NO_BROWSER);
      expect((await signIn.session(cookie))?.account.id).toBe(account.id);
    });

    test("is stored with neither token, address nor network, nor the cookie it leads to", async () => {
      const token = await linkTo(signIn, "ann@example.com", "203.0.113.7");
      const before = await bench().dump();
      for (const secret of [token, "ann@example.com", "203.0.113.7"])
        expect(before).not.toContain(secret);
      const again = await signIns();
      const { cookie } = await again.signIn(token, drawToken(), NO_BROWSER);
      expect(await bench().dump()).not.toContain(cookie);
    });

    test("holds once, and the button pressed twice leads to one session", async () => {
      const token = await linkTo(signIn, "ann@example.com");
      const once = drawToken();
      const both = await Promise.all([1, 2].map(() => signIn.signIn(token, once, NO_BROWSER)));
      expect(both.map(({ outcome }) => outcome)).toEqual(["signed_in", "signed_in"]);
      expect(both[0]!.cookie).toBe(both[1]!.cookie);
      expect(await outcomeOf(signIn, token), "another form").toBe("used");
      const { account } = (await signIn.session(both[0]!.cookie))!;
      expect(await signIn.store.sessionsOf(account.id, bench().nowMs)).toHaveLength(1);
      expect(await signIn.wasFor(token, account.id)).toBe(true);
      await signIn.endSessions(account.id);
      expect((await signIn.signIn(token, once, NO_BROWSER)).outcome, "an ended one").toBe("used");
    });

    test("used in two browsers at once signs in one of them, and opens one account", async () => {
      const token = await linkTo(signIn, "ann@example.com");
      const both = await Promise.all([1, 2].map(() => outcomeOf(signIn, token)));
      expect(both.sort()).toEqual(["signed_in", "used"]);
      expect(await (await bench().admin()).listAccounts(undefined, 10)).toHaveLength(1);
    });

    test("holds for fifteen minutes, and a guess for none", async () => {
      const token = await linkTo(signIn, "ann@example.com");
      await bench().pass(LINK_MS - 1);
      expect(await signIn.look(token)).toBeDefined();
      await bench().pass(1);
      expect(await signIn.look(token)).toBeUndefined();
      expect(await outcomeOf(signIn, token)).toBe("used");
      for (const guess of ["", "x", drawToken(), `${token}x`, "' OR 1=1 --"])
        expect(await outcomeOf(signIn, guess)).toBe("used");
    });

    test("does nothing but what it is for", async () => {
      const { account } = await signedIn(signIn, "ann@example.com");
      const move = made(await signIn.askAddress(account, "new@example.com", asking())).token;
      const end = made(await signIn.askDeletion(account, asking())).token;
      const enter = await linkTo(signIn, "ann@example.com");
      expect(await outcomeOf(signIn, move)).toBe("used");
      expect(await outcomeOf(signIn, end)).toBe("used");
      expect(await signIn.deleteAccount(move)).toBeUndefined();
      expect(await signIn.deleteAccount(enter)).toBeUndefined();
      expect(await signIn.changeAddress(end)).toBeUndefined();
      expect(await signIn.changeAddress(enter)).toBeUndefined();
      expect((await signIn.admin.findAccount(account.id)).email).toBe("ann@example.com");
      expect(await outcomeOf(signIn, enter)).toBe("signed_in");
    });

    test("to an address that the account has left, or that another has got, does not hold", async () => {
      const { account } = await signedIn(signIn, "ann@example.com");
      const enter = await linkTo(signIn, "ann@example.com");
      const end = made(await signIn.askDeletion(account, asking())).token;
      await signIn.admin.changeAddress(account.id, "new@example.com");
      const { account: other } = await bench().account("free", "ann@example.com");
      expect(await outcomeOf(signIn, enter)).toBe("used");
      expect(await signIn.deleteAccount(end)).toBeUndefined();
      expect((await signIn.admin.findAccount(other.id)).email).toBe("ann@example.com");
    });

    test("opens no account where none may be, and signs in to none that is suspended", async () => {
      const closed = await signIns(false);
      expect(await outcomeOf(closed, await linkTo(closed, "new@example.com"))).toBe("closed");
      const { account } = await bench().account("free", "ann@example.com");
      const token = await linkTo(closed, "ann@example.com");
      await (await bench().admin()).suspend(account.id);
      expect(await outcomeOf(closed, token)).toBe("suspended");
      await (await bench().admin()).resume(account.id);
      expect(await outcomeOf(closed, token)).toBe("signed_in");
    });

    test("that was not sent does not count for the address", async () => {
      for (let n = 0; n < 2 * LINK_LIMITS.address; n++) {
        const link = made(await signIn.askSignIn("ann@example.com", asking()));
        await signIn.withdraw(link);
        expect(await signIn.look(link.token)).toBeUndefined();
      }
    });
  });
}
