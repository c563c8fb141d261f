import type { Table } from "./table.ts";

export const REJECTS: Table = {
  name: "rejects",
  description:
    "Input rows that were refused, one row each, and why. Nothing is dropped silently: what is not in prices is here.",
  key: ["coin", "line"],
  arrow: true,
  columns: [
    { name: "coin", type: "text", unit: "", description: "Lower-case ticker." },
    {
      name: "day",
      type: "date",
      unit: "",
      description: "The day the row is of; NULL where it could not be read.",
    },
    {
      name: "line",
      type: "integer",
      unit: "",
      description: "Line of the file, from 1, or position in the answer; 0 for the whole input.",
    },
    {
      name: "reason",
      type: "text",
      unit: "",
      description: "Why it was refused, one of a fixed set of words, e.g. high_below_low.",
    },
    {
      name: "raw",
      type: "text",
      unit: "",
      description: "The row as it was read, cut to 200 characters.",
    },
  ],
};
