// The static part of the page, which is shown until the script of the console has arrived.
import type { Page } from 'playwright-core'

/**
 * Waits until the loading page is shown with its style. Its elements are in the document before the style sheet has
 * arrived.
 */
export async function waitForLoadingPage(page: Page): Promise<void> {
  await page.locator('.boot progress').waitFor()
  await page.waitForFunction(() => document.querySelector<HTMLLinkElement>('link[rel=stylesheet]')?.sheet)
}
