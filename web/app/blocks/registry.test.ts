import { existsSync, readFileSync } from "node:fs";
import { buildSchema, type GraphQLObjectType } from "graphql";
import { describe, expect, it } from "vitest";
import { sourceOf } from "./chunks";
import { registry } from "./registry";

const schema = buildSchema(readFileSync("../gateway/schema.graphql", "utf8"));
const block = schema.getType("Block");
if (block?.astNode?.kind !== "InterfaceTypeDefinition") throw new Error("The schema has no interface Block");
const kinds = schema
  .getImplementations(block as never)
  .objects.map((type: GraphQLObjectType) => type.name)
  .sort();

describe("the registry", () => {
  it("has every block of the schema, and no other", () => {
    expect(Object.keys(registry).sort()).toEqual(kinds);
  });

  it.each(kinds)("has a source for %s", (kind) => {
    expect(existsSync(sourceOf(kind))).toBe(true);
  });

  it.each(kinds)("requests the fields of %s", (kind) => {
    expect(readFileSync("app/routes/page.graphql", "utf8")).toContain(`...${kind}Block`);
  });
});
