// What a browser says went wrong while a page was open.
import type { Page } from 'playwright-core'

export interface Complaints {
  list(): string[]
  /** Rejected when the page throws: nothing that is waited for will come then. Never resolved. */
  thrown: Promise<never>
  /** From now on the line or the hub is gone on purpose: failed requests are no complaint. */
  expectOutage(): void
}

/** What browsers write on the console of their own accord when a request gets no answer. */
const OUTAGE = /Failed to load resource: net::ERR_|WebSocket connection to .* failed|can.t establish a connection/

/** Begins to listen. @param origin the only one the page has any business with */
export async function listenForComplaints(page: Page, origin: string): Promise<Complaints> {
  const said: string[] = []
  let outage = false
  const { promise: thrown, reject } = Promise.withResolvers<never>()
  thrown.catch(() => {})
  page.on('pageerror', (error) => {
    const text = `thrown: ${error.stack ?? error.message}`
    said.push(text)
    reject(new Error(text))
  })
  page.on('console', (message) => {
    const text = `${message.text()} (${message.location().url})`
    if (message.type() === 'error' && !(outage && OUTAGE.test(text))) said.push(`on the console: ${text}`)
  })
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url())
    if (/^(data|blob|about):/.test(protocol)) return
    if (host !== new URL(origin).host) said.push(`a request to elsewhere: ${request.url()}`)
  })
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`breach of the security policy: ${violatedDirective}, ${blockedURI}`)
    )
  })
  return {
    list: () => said,
    thrown,
    expectOutage() {
      outage = true
    }
  }
}
