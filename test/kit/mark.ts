// Tells whether a page is still the one that was loaded.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** @returns fails when the page was loaded anew since */
export async function mark(page: Page): Promise<() => Promise<void>> {
  const document = await page.evaluateHandle(() => window.document)
  return async () => {
    // A handle of a page that is gone cannot be asked at all.
    const same = await document.evaluate((old) => old === window.document).catch(() => false)
    assert.ok(same, 'the page was loaded anew')
  }
}
