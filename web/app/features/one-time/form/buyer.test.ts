import { describe, expect, it } from "vitest";
import { faultsOf, trimBuyer } from "./buyer";

describe("a guest", () => {
  it("must give a name and a valid address", () => {
    expect(faultsOf({ name: "  ", email: "" })).toEqual({ name: "required", email: "required" });
    expect(faultsOf({ name: "Ada", email: "ada@" })).toEqual({ email: "invalidEmail" });
    expect(faultsOf({ name: " Ada ", email: " ada@example.org " })).toEqual({});
  });

  it("is sent without surrounding blanks", () => {
    expect(trimBuyer({ name: " Ada Quiet ", email: " ada@example.org\t" })).toEqual({
      name: "Ada Quiet",
      email: "ada@example.org",
    });
  });
});
