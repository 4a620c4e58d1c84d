// @vitest-environment jsdom
import { cleanup, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { present } from "../presenting/presenters.server";
import { InnerBlocks, loadBlocks } from "../render";
import { samples } from "../samples";
import { renderBlock, stubBrowser } from "./test-harness";

/** Block names as promised to content: other renderers may use them. */
const NAMES = [
  "PlanList",
  "ProductPlan",
  "PaymentForm",
  "GiftPaymentForm",
  "TwoColPaymentForm",
  "OneTimePaymentForm",
  "OneTimePaymentWithAdditionForm",
  "AlmostDonePage",
  "SuccessPage",
  "GympassPage",
  "SuggestedProgramPage",
  "GiftSuccess",
  "SurveyCategorySelection",
  "SurveyContinueBox",
  "SurveyButton",
  "DynamicProgramContent",
  "CoachingChat",
  "UserProfileUpdate",
  "B2bBookADemo",
  "B2bFrom",
  "B2bCalculator",
  "B2bDashboard",
  "Accordion",
  "Tabs",
  "CarouselTabs",
  "VideoPlayer",
  "YoutubeEmbed",
  "MeditationPlayer",
  "MeditationSampleCollection",
  "Qr",
  "AppDownloadBox",
  "JobAd",
];

describe("a block named", () => {
  beforeEach(() => {
    stubBrowser();
    vi.stubGlobal("fetch", async () => new Response(null, { status: 503 }));
  });
  afterEach(() => {
    cleanup();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it.each(NAMES)("%s renders without a failure", async (name) => {
    const failed = vi.spyOn(console, "error");
    const sample = samples.find(({ __typename }) => __typename === name);
    if (!sample) throw new Error(`There is no sample of ${name}`);
    const view = present(sample, { locale: "en", template: "Page" });
    await loadBlocks([name]);
    const { container } = renderBlock(() => <InnerBlocks sections={[view]} />, { id: sample.id });
    await waitFor(() => expect(container.textContent).not.toBe(""), { timeout: 4_000 });
    expect(container.textContent).not.toContain("Unknown block");
    expect(failed).not.toHaveBeenCalled();
  });
});
