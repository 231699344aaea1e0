// A visit of a test to the pages of a hub or of the cloud.
import type { Browser, Page } from 'playwright-core'
import { LIMIT } from '../until.ts'
import { signIn, WITHOUT_MOTION } from './browser.ts'
import { type BrowserErrors, collectBrowserErrors } from './browser-errors.ts'

export interface PageVisit {
  /** Origin that the pages are loaded from. */
  origin: string
  /** First route: path and query. */
  at?: string
  /** Does not sign in. */
  signedOut?: boolean
  /** Cookies that the browser has before. */
  cookies?: { name: string; value: string; url: string }[]
  /** Width and height of the window. */
  size?: [number, number]
}

export type Journey = (page: Page, errors: BrowserErrors) => Promise<void>

/**
 * Opens a page in a new browser context and runs `journey` with it. The visit also fails on browser errors: uncaught
 * exceptions, console errors, requests to other hosts and CSP violations.
 */
export async function visitPage(browser: Browser, visit: PageVisit, journey: Journey): Promise<void> {
  const { origin, at = '', signedOut, cookies = [], size: [width, height] = [1280, 800] } = visit
  const context = await browser.newContext({ locale: 'en-US', viewport: { width, height }, ...WITHOUT_MOTION })
  context.setDefaultTimeout(LIMIT)
  await context.addCookies(cookies)
  const page = await context.newPage()
  const errors = await collectBrowserErrors(page, origin)
  const run = async () => {
    await page.goto(`${origin}/${at && `#${at}`}`)
    if (!signedOut) {
      await signIn(page)
      await page.getByRole('banner').getByRole('status').getByText('Connected').waitFor()
    }
    await journey(page, errors)
  }
  try {
    const finished = run()
    finished.catch(() => {})
    await Promise.race([finished, errors.pageError])
  } catch (error) {
    console.log(`${page.url()}\n${await page.ariaSnapshot().catch(() => 'The page does not respond.')}`)
    console.log(errors.list().join('\n'))
    throw error
  } finally {
    await context.close()
  }
  const messages = errors.list()
  if (messages.length > 0) throw new Error(`Browser errors:\n${messages.join('\n')}`)
}
