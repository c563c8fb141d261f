import type { Table } from "./table.ts";

export const STRATEGIES: Table = {
  name: "strategies",
  description: "The catalogue of strategy templates, one row each.",
  key: ["template"],
  arrow: false,
  columns: [
    { name: "template", type: "text", unit: "", description: "name used in requests" },
    { name: "title", type: "text", unit: "", description: "name for people" },
    {
      name: "family",
      type: "text",
      unit: "",
      description: "trend, momentum, mean_reversion, breakout or volatility",
    },
    { name: "description", type: "text", unit: "", description: "what it trades on" },
    { name: "entry_rule", type: "text", unit: "", description: "when it buys, in plain words" },
    { name: "exit_rule", type: "text", unit: "", description: "when it sells, in plain words" },
    {
      name: "parameters",
      type: "text",
      unit: "json",
      description: "list of {name, title, unit, default}",
    },
    { name: "references", type: "text", unit: "json", description: "list of published sources" },
  ],
};

export const VARIANTS: Table = {
  name: "variants",
  description: "The 13 parameter sets of every template, one row each; variant 1 is the default.",
  key: ["template", "variant"],
  arrow: false,
  columns: [
    { name: "template", type: "text", unit: "", description: "name of the template" },
    { name: "variant", type: "integer", unit: "", description: "1 to 13" },
    { name: "params", type: "text", unit: "json", description: "parameter values by name" },
  ],
};
