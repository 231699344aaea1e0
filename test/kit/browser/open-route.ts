// Opens another screen of a console that is open.
import type { Page } from 'playwright-core'

/**
 * Goes to a route without loading the page again. When it returns, the previous screen is gone, and the next one may
 * still be loading.
 */
export async function openRoute(page: Page, path: string): Promise<void> {
  await page.evaluate((hash) => {
    if (location.hash === hash) return undefined
    // The listener of the console was added earlier, so that the console has its new route then.
    const changed = new Promise<void>((resolve) => addEventListener('hashchange', () => resolve(), { once: true }))
    location.hash = hash
    return changed
  }, `#${path}`)
}

/** Waits until the screen has content and nothing is loading. */
export async function waitForContent(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const main = document.querySelector('main')
    return main?.querySelector('h1') && !main.querySelector('.skeleton')
  })
}
