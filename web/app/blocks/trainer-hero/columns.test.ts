import { expect, it } from "vitest";
import { columnsOf } from "./columns";

it.each([
  { people: ["a", "b", "c"], columns: [["a", "c"], ["b"]] },
  { people: ["a"], columns: [["a"]] },
  { people: [], columns: [[]] },
])("$people are placed in $columns", ({ people, columns }) => {
  expect(columnsOf(people, 2)).toEqual(columns);
});
