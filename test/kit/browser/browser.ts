// Browsers from Debian packages, controlled by playwright-core.
import { readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Browser, type BrowserContext, chromium, firefox, type Page } from 'playwright-core'
import { CACHE_PREFIX } from '../../../contract/limits.ts'
import { commandLineOf, readIfPresent } from '../system-processes.ts'
import { LIMIT, until } from '../until.ts'

/** Without it the client of PulseAudio makes a temporary folder for each process, which nobody removes. */
const ENVIRONMENT = { ...process.env, PULSE_RUNTIME_PATH: resolve(import.meta.dirname, '../../../build/pulse') }

/** Chromium without a desktop, which starts with half the processor time of the whole browser. */
export const CHROMIUM = '/usr/bin/chromium-headless-shell'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync'
]

/** Starts Debian's Chromium. @param flags additional command line flags */
export function openChromium(flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...flags], env: ENVIRONMENT })
}

/** Whether a process of Firefox that outlives the browser uses the temporary folder of this process. */
const isCleaningUp = () =>
  readdirSync('/proc').some(
    (pid) =>
      commandLineOf(pid).includes('--backgroundtask') &&
      readIfPresent(`/proc/${pid}/environ`).split('\0').includes(`TMPDIR=${tmpdir()}`)
  )

/** Starts Debian's stock Firefox ESR. It is closed when the process that cleans up after it has ended, too. */
export async function openFirefox(): Promise<Browser> {
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath: '/usr/bin/firefox-esr',
    env: ENVIRONMENT,
    // Otherwise it starts such a process for its cache, too.
    firefoxUserPrefs: { 'network.cache.shutdown_purge_in_background_task': false }
  })
  const close = browser.close.bind(browser)
  browser.close = async () => {
    await close()
    await until(() => !isCleaningUp(), 'Firefox has cleaned up')
    for (const name of readdirSync(tmpdir()))
      if (name.startsWith('MozillaBackgroundTask-')) rmSync(join(tmpdir(), name), { recursive: true, force: true })
  }
  return browser
}

/**
 * Waits for the login page of the console. The page's own form, which looks the same, is shown until the script has
 * arrived.
 */
export async function waitForLogin(page: Page): Promise<void> {
  await page.locator('main:not(.boot-login)').getByRole('button', { name: 'Sign in' }).waitFor()
}

/**
 * Most tests look at what is shown, not at how it moves there. Drawing the frames of transitions takes a quarter of the
 * processor time of a page that is open.
 */
export const WITHOUT_MOTION = { reducedMotion: 'reduce' } as const

/** Starts a browser, and signs in to the console of a hub in English. @param url of the hub */
export async function openSignedIn(url: string): Promise<BrowserContext> {
  const browser = await openChromium()
  const context = await browser.newContext({ locale: 'en-US', ...WITHOUT_MOTION })
  context.setDefaultTimeout(LIMIT)
  const page = await context.newPage()
  await page.goto(url)
  await signIn(page)
  await page.getByRole('banner').getByRole('status').getByText('Connected').waitFor()
  return context
}

/** Signs in on the login page that is open or about to open. */
export async function signIn(page: Page, name = 'Admin', password = 'Admin'): Promise<void> {
  await waitForLogin(page)
  // The user has seen the tour, which is not part of most tests.
  await page.evaluate(([prefix, user]) => localStorage.setItem(`${prefix}tour-${user}`, '1'), [CACHE_PREFIX, name])
  await page.getByLabel('User name').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
