// Browsers from Debian packages, controlled by playwright-core.
import { type Browser, chromium, firefox, type Page } from 'playwright-core'

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
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: [...FLAGS, ...flags] })
}

/** Starts Debian's stock Firefox ESR. */
export function openFirefox(): Promise<Browser> {
  return firefox.launch({ channel: 'moz-firefox', executablePath: '/usr/bin/firefox-esr' })
}

/** Signs in on the login page that is open. */
export async function signIn(page: Page, name = 'Admin', password = 'Admin'): Promise<void> {
  await page.getByLabel('User name').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
