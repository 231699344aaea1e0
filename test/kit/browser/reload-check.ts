// Checks that a page has not been reloaded.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** @returns a function that fails when the page has been reloaded since */
export async function forbidReload(page: Page): Promise<() => Promise<void>> {
  const document = await page.evaluateHandle(() => window.document)
  return async () => {
    // A handle of a closed document throws.
    const same = await document.evaluate((old) => old === window.document).catch(() => false)
    assert.ok(same, 'The page was reloaded')
  }
}
