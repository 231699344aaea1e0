// Collects the errors of a page in a browser: uncaught exceptions, console errors, requests to other hosts, CSP
// violations.
import type { Page } from 'playwright-core'

export interface BrowserErrors {
  list(): string[]
  /** Rejects on an uncaught exception of the page, so that tests need not wait for a timeout. Never resolves. */
  pageError: Promise<never>
  /** Ignores failed requests from now on, because the test interrupts the connection or the hub. */
  expectOutage(): void
}

/** Console messages of browsers about failed requests. */
const OUTAGE =
  /Failed to load resource: (net::ERR_|the server responded with a status of (404|502))|WebSocket connection to .* failed|can.t establish a connection/

/** Starts to collect errors. @param origin the only origin that the page may send requests to */
export async function collectBrowserErrors(page: Page, origin: string): Promise<BrowserErrors> {
  const messages: string[] = []
  let outage = false
  const { promise: pageError, reject } = Promise.withResolvers<never>()
  pageError.catch(() => {})
  page.on('pageerror', (error) => {
    const text = `uncaught exception: ${error.stack ?? error.message}`
    messages.push(text)
    reject(new Error(text))
  })
  page.on('console', (message) => {
    const text = `${message.text()} (${message.location().url})`
    if (message.type() === 'error' && !(outage && OUTAGE.test(text))) messages.push(`console error: ${text}`)
  })
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url())
    if (/^(data|blob|about):/.test(protocol)) return
    if (host !== new URL(origin).host) messages.push(`request to another host: ${request.url()}`)
  })
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`CSP violation: ${violatedDirective}, ${blockedURI}`)
    )
  })
  return {
    list: () => messages,
    pageError,
    expectOutage() {
      outage = true
    }
  }
}
