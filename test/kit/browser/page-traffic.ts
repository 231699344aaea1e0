// Measures the traffic and the delays of a page on a slow connection, for the benchmark and the browser test.
import type { Page } from 'playwright-core'
import type { ThrottledProxy } from '../net/throttled-proxy.ts'
import { until } from '../until.ts'

/** The slowest supported connection: bytes per second, and round-trip time in milliseconds. */
export const RATE = 8000
export const LATENCY = 400

/** Limits the rate of a page with Chromium's network emulation. Earlier requests delay later ones. */
export async function throttle(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY,
    downloadThroughput: RATE,
    uploadThroughput: RATE
  })
}

/** Waits until everything that is open on the dashboard is filled: channels, problems, machine. */
export async function waitForDashboard(page: Page): Promise<void> {
  await page.getByText('CPU').first().waitFor()
  await page.waitForFunction(
    () => document.querySelector('main svg') && !document.querySelector('main :is(progress, [aria-busy=true])')
  )
}

/** Waits until `count` preview images are visible. @param timeout in milliseconds */
export async function waitForPreviews(page: Page, count: number, timeout?: number): Promise<void> {
  await page.waitForFunction((expected) => document.querySelectorAll('.picture img').length >= expected, count, {
    timeout
  })
}

/** Waits until less than 150 bytes per second are transferred, twice the traffic of an idle page. */
export async function waitForIdle(line: ThrottledProxy): Promise<void> {
  const read = () => ({ at: performance.now(), sum: line.bytes().down + line.bytes().up })
  let from = read()
  await until(() => {
    const to = read()
    if (to.at < from.at + 1000) return false
    const rate = (to.sum - from.sum) / ((to.at - from.at) / 1000)
    from = to
    return rate < 150
  }, 'the page is idle')
}

/** Measures the traffic in both directions, in kilobytes per minute. @param milliseconds duration of the measurement */
export async function measureTraffic(line: ThrottledProxy, milliseconds: number): Promise<number> {
  const before = line.bytes()
  const began = performance.now()
  await new Promise((resolve) => setTimeout(resolve, milliseconds))
  const { down, up } = line.bytes()
  return ((down + up - before.down - before.up) / 1000 / (performance.now() - began)) * 60_000
}
