import { describe, expect, it } from "vitest";
import { faultsOf, trimBuyer } from "./buyer";

describe("who buys", () => {
  it("is asked for a name and an address that can be one", () => {
    expect(faultsOf({ name: "  ", email: "" })).toEqual({ name: "required", email: "required" });
    expect(faultsOf({ name: "Ada", email: "ada@" })).toEqual({ email: "invalidEmail" });
    expect(faultsOf({ name: " Ada ", email: " ada@example.org " })).toEqual({});
  });

  it("is sent without the blanks around", () => {
    expect(trimBuyer({ name: " Ada Quiet ", email: " ada@example.org\t" })).toEqual({
      name: "Ada Quiet",
      email: "ada@example.org",
    });
  });
});
