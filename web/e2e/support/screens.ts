/** The two screens journeys run on. */

/** One pixel of the page per pixel of the screen: drawing four takes four times as long, and no journey counts them. */
export const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 1 };
export const desktop = { viewport: { width: 1440, height: 900 } };
