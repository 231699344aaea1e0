// Checks pages with axe-core.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Violations on the current page, or in a part of it, one line each. */
async function violations(page: Page, part: string): Promise<string[]> {
  // A page without a reload since the last check still has it.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE)
  const { violations: found } = (await page.evaluate(
    `axe.run('${part}', { resultTypes: ['violations'] })`
  )) as AxeResults
  return found.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id}: ${help} (${target.join(' ')})`))
}

/**
 * Checks the page in both themes.
 * @param what names the page in the result
 * @param part selector of the part that is checked
 * @returns the violations, one line each
 */
export async function checkBothThemes(page: Page, what: string, part = 'html'): Promise<string[]> {
  const faults: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    // Disables the colour transition between the themes.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const line of await violations(page, part)) faults.push(`${what}, ${colorScheme}: ${line}`)
  }
  return faults
}
