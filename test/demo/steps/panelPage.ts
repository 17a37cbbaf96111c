import type { FrameLocator, Page } from 'playwright-core';

/** The page inside the panel that is shown. */
export function panelPage(page: Page): FrameLocator {
  return page.locator('iframe.webview:visible').first().contentFrame().frameLocator('iframe#active-frame');
}
