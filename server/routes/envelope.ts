import { z } from "zod";

/** What accompanies `data` in every 200. `send-reply.ts` writes its text, once a request. */
export const Meta = z
  .strictObject({
    plan: z.string().describe("name of the account's plan in force"),
    quota: z.strictObject({
      used: z.int().describe("calls used of the month or trial, this one included"),
      limit: z.int().describe("calls the plan allows in it"),
      remaining: z.int().describe("calls left"),
    }),
  })
  .meta({ id: "Meta", description: "The state of the account after this call." });

export const ErrorBody = z
  .strictObject({
    error: z.strictObject({
      code: z.string().meta({
        description: "machine-readable; its meaning never changes",
        examples: ["unknown_coin"],
      }),
      message: z.string().meta({
        description: "for people: what was given and what is allowed",
        examples: ['coin "btx" is not on the board; nearest: "btc", "eth", "bnb"'],
      }),
      docs_url: z.url().describe("the code's section of the documentation"),
    }),
  })
  .meta({ id: "Error" });
