// The console on a slow connection of 64 kbit/s with 400 ms round-trip time, emulated by Chromium, and the traffic of
// an idle console. Bytes are TCP payload in both directions, counted outside the browser. A value above its limit makes
// the run fail. BENCH_DEVICES=24 uses fewer devices.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { acceptDevices, listDevices } from '../contract/device/device.ts'
import { systemStatus } from '../contract/system.ts'
import { linkTo, ROUTES } from '../src/paths.ts'
import { openChromium, signIn } from '../test/kit/browser/browser.ts'
import {
  LATENCY,
  measureTraffic,
  RATE,
  throttle,
  waitForDashboard,
  waitForPreviews
} from '../test/kit/browser/page-traffic.ts'
import { startFleet } from '../test/kit/fleet/fleet-process.ts'
import { type HubProcess, startHubProcess } from '../test/kit/hub/hub-process.ts'
import { startThrottledProxy, type ThrottledProxy } from '../test/kit/net/throttled-proxy.ts'
import type { Measurement, Suite } from './measurement.ts'

const DEVICES = Number(process.env.BENCH_DEVICES ?? 500)
/** Devices accepted in one call. */
const ACCEPT_BATCH = 100
/**
 * Seconds to receive the first 14 KB of a response on this connection, including the TCP handshake and one further
 * round trip.
 */
const FIRST_PAINT = (14 * 1024) / RATE + (2 * LATENCY) / 1000
/** Milliseconds of a traffic measurement, and before it until the page has settled. */
const MEASURED_TIME = 20_000
const SETTLE_TIME = 5000
/** Milliseconds between two calls while previews run, and how many. */
const CALL_EVERY = 2000
const CALLS = 12
const TIMEOUT = 120_000
/** A window that shows about 12 tiles, and the minimum number of previews among them: not all devices have one. */
const WINDOW = { width: 1280, height: 900 }
const MIN_PREVIEWS = 8

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Measures how long calls take while previews load, in seconds. @param every interval of the calls in milliseconds */
async function measureCalls(page: Page, count: number, every: number): Promise<[median: number, maximum: number]> {
  const durations: number[] = []
  for (let turn = 0; turn < count; turn++) {
    durations.push(
      await page.evaluate(async (path) => {
        const began = performance.now()
        await (await fetch(path, { cache: 'no-store' })).json()
        return (performance.now() - began) / 1000
      }, `/api${systemStatus.path}`)
    )
    await wait(every)
  }
  const sorted = durations.toSorted((a, b) => a - b)
  return [sorted[Math.floor(count / 2)] ?? Number.NaN, sorted.at(-1) ?? Number.NaN]
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

/** Waits until the console's login form has replaced the one in the page. */
const loginReady = (page: Page) => page.getByRole('button', { name: 'Show' }).waitFor()

/** Opens the page and types into its login form as soon as it is there. */
async function typeEarly(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: 'commit' })
  // A user can type once the form is painted, which is later than the field is there.
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
  await page.locator('#boot-name').fill('Admin')
  await page.locator('#boot-password').fill('Admin')
}

/** Submits the form and waits until the console is signed in. */
async function enterEarly(page: Page): Promise<void> {
  await page.locator('#boot-password').press('Enter')
  await page.getByRole('navigation').first().waitFor({ state: 'attached' })
}

/** Milliseconds until the first contentful paint. */
const firstPaint = (page: Page) =>
  page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN)

async function measureOpening(context: BrowserContext, url: string): Promise<Measurement[]> {
  const rows: Measurement[] = []
  const add = (what: string, ours: number, limit = Number.NaN) =>
    rows.push({ name: what, unit: 's', referenceName: 'limit', ours, reference: limit })
  const page = await context.newPage()
  await throttle(page)
  const typed = await seconds(() => typeEarly(page, url))
  add('name and password typed, first visit', typed, 3)
  add('signed in, first visit', typed + (await seconds(() => enterEarly(page))), 11)
  add('first paint', (await firstPaint(page)) / 1000, FIRST_PAINT)
  await page.context().clearCookies()
  add('login form, second visit', await seconds(() => Promise.all([page.reload(), loginReady(page)])), 2)
  add('from signing in to a filled dashboard', await seconds(() => Promise.all([signIn(page), waitForDashboard(page)])))
  add('filled dashboard, second visit', await seconds(() => Promise.all([page.reload(), waitForDashboard(page)])))
  await page.close()
  return rows
}

/** Traffic of an idle page in kilobytes per minute. */
async function measureIdle(proxy: ThrottledProxy, show: () => Promise<unknown>): Promise<number> {
  await show()
  await wait(SETTLE_TIME)
  return measureTraffic(proxy, MEASURED_TIME)
}

async function acceptAll(hub: HubProcess, count: number): Promise<void> {
  const end = Date.now() + TIMEOUT
  for (let online = 0; online < count; ) {
    const { list } = await hub.send(listDevices, { 'reg-state': 'waiting', start: 0, count: ACCEPT_BATCH })
    if (list.length > 0) await hub.send(acceptDevices, { sn: list.map(({ sn }) => sn) })
    else await wait(200)
    online = (await hub.send(systemStatus, {})).status.system.device['num-online']
    if (Date.now() > end) throw new Error(`Only ${online} of ${count} devices came online`)
  }
}

async function measure(proxy: ThrottledProxy): Promise<Measurement[]> {
  const rows: Measurement[] = []
  const add = (what: string, unit: string, ours: number, limit = Number.NaN) =>
    rows.push({ name: what, unit, referenceName: 'limit', ours, reference: limit })
  const browser = await openChromium()
  const url = `http://127.0.0.1:${proxy.port}/`
  try {
    const context = await browser.newContext({ locale: 'en-US', viewport: WINDOW })
    context.setDefaultTimeout(TIMEOUT)
    rows.push(...(await measureOpening(context, url)))
    const page = await context.newPage()
    await throttle(page)
    const openRoute = (route: string) => page.goto(`${url}#${route}`)
    add(
      'idle dashboard',
      'KB/min',
      await measureIdle(proxy, async () => {
        await openRoute(ROUTES.dashboard)
        await waitForDashboard(page)
      }),
      6
    )
    add(
      `idle list of ${DEVICES} devices`,
      'KB/min',
      await measureIdle(proxy, async () => {
        await openRoute(ROUTES.allDevices)
        await page.getByRole('rowheader').first().waitFor()
      }),
      2
    )
    const previewTraffic = await measureIdle(proxy, async () => {
      await openRoute(linkTo('allDevices', { view: 'view' }))
      await waitForPreviews(page, MIN_PREVIEWS, TIMEOUT)
    })
    add('visible previews', 'KB/min', previewTraffic, (RATE * 60) / 1000)
    const [median, maximum] = await measureCalls(page, CALLS, CALL_EVERY)
    add('calls during previews, p50', 's', median, 2)
    add('calls during previews, slowest', 's', maximum, 2)
    add(
      'visible previews with data saver',
      'KB/min',
      await measureIdle(proxy, async () => {
        await page.getByRole('button', { name: 'Admin', exact: true }).click()
        await page.getByText('Data saver').click()
        await page.keyboard.press('Escape')
      }),
      previewTraffic / 2
    )
  } finally {
    await browser.close()
  }
  return rows
}

export const suite: Suite = {
  title: 'line',
  strict: true,
  async run() {
    const data = mkdtempSync(join(tmpdir(), 'headend-bench-'))
    const hub = await startHubProcess(data)
    try {
      const fleet = await startFleet(data, hub.linkPort, DEVICES)
      try {
        await acceptAll(hub, DEVICES)
        const proxy = await startThrottledProxy(Number(new URL(hub.url).port))
        try {
          return await measure(proxy)
        } finally {
          await proxy.close()
        }
      } finally {
        await fleet.kill('SIGTERM')
      }
    } finally {
      await hub.kill()
      rmSync(data, { recursive: true, force: true })
    }
  }
}
