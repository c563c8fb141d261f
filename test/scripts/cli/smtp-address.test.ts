import { expect, test } from "vitest";
import { smtpFault } from "../../../scripts/cli/serve-options.ts";

test.each(["http://mail.example.com", "smtp://", "smtp://host/path", "smtp://host?x=1", "host:25"])(
  "%s is no mail server",
  (address) => expect(smtpFault(address)).toContain("smtps://"),
);
test.each(["smtp://127.0.0.1:25", "smtps://ann:p%40ss@mail.example.com"])("%s is one", (address) =>
  expect(smtpFault(address)).toBeUndefined(),
);
