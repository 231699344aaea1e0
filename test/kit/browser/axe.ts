// Checks pages with axe-core.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Rules that the theme can change. Checking all others again takes most of the processor time of a check. */
const COLOR_RULES = { runOnly: ['color-contrast', 'link-in-text-block'] }

/**
 * Without `cssom`: axe-core would fetch and parse the style sheets for each check, for one rule alone, which is
 * experimental and off.
 */
const OPTIONS = { resultTypes: ['violations'], preload: { assets: ['media'] } }

/** Violations on the current page, or in a part of it, one line each. */
async function violations(page: Page, part: string, rules: object): Promise<string[]> {
  // A page without a reload since the last check still has it.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE)
  const { violations: found } = (await page.evaluate(
    `axe.run('${part}', ${JSON.stringify({ ...rules, ...OPTIONS })})`
  )) as AxeResults
  return found.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id}: ${help} (${target.join(' ')})`))
}

/**
 * Checks the page with all rules in the light theme, and with those about colours in the dark one.
 * @param what names the page in the result
 * @param part selector of the part that is checked
 * @returns the violations, one line each
 */
export async function checkBothThemes(page: Page, what: string, part = 'html'): Promise<string[]> {
  const faults: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    // Disables the colour transition between the themes.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const rules = colorScheme === 'dark' ? COLOR_RULES : {}
    for (const line of await violations(page, part, rules)) faults.push(`${what}, ${colorScheme}: ${line}`)
  }
  return faults
}
