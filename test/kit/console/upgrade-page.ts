// The upgrade page: counts its reloads, and answers its questions.
import type { Test } from 'uvu'
import { click, findByRole, visibleText } from './page.ts'

/** How often the current test has reloaded the page. */
export let reloads = 0

/** Counts reloads of the page from the beginning of each test of a suite. The page stays as it is. */
export function countReloads(test: Pick<Test, 'before'>): void {
  test.before.each(() => {
    reloads = 0
    Object.defineProperty(location, 'reload', { configurable: true, value: () => reloads++ })
  })
}

/** Confirms the open dialog. @returns its text */
export async function confirmDialog(verb: string): Promise<string> {
  const dialog = await findByRole('dialog')
  const question = visibleText(dialog)
  await click(await findByRole('button', verb, dialog))
  return question
}
