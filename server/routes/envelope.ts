import { z } from "zod";

/** What accompanies `data` in every 200. `send-reply.ts` writes its text, once a request. */
export const Meta = z
  .strictObject({
    plan: z.string().meta({ description: "name of the account's plan in force" }),
    quota: z.strictObject({
      used: z.int().meta({ description: "calls used of the month or trial, this one included" }),
      limit: z.int().meta({ description: "calls the plan allows in it" }),
      remaining: z.int().meta({ description: "calls left" }),
    }),
  })
  .meta({ id: "Meta", description: "The state of the account after this call." });

export const ErrorBody = z
  .strictObject({
    error: z.strictObject({
      code: z.string().meta({ description: "machine-readable; its meaning never changes" }),
      message: z.string().meta({ description: "for people: what was given and what is allowed" }),
      docs_url: z.url().meta({ description: "the code's section of the documentation" }),
    }),
  })
  .meta({ id: "Error" });
