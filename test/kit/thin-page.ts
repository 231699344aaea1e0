// What a page costs and how long it takes on a thin line, for the bench, which measures it, and the test that holds it.
import type { Page } from 'playwright-core'
import { systemStatus } from '../../contract/system.ts'
import type { ThinLine } from './thin-line.ts'

/** The line that the console is made for: bytes a second, and milliseconds there and back. */
export const RATE = 8000
export const LATENCY = 400

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Puts a page on that line from now on, by Chromium's own throttle: what was asked for first is in the way of what comes later. */
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

/** Everything in its cards is there: the machine, the traffic, the log. */
export async function dashboardFilled(page: Page): Promise<void> {
  await page.getByText('CPU').waitFor()
  await page.waitForFunction(
    () => document.querySelector('main svg') && !document.querySelector('main :is(progress, [aria-busy=true])')
  )
}

/** Waits until as many pictures are shown. @param timeout milliseconds */
export async function pictures(page: Page, count: number, timeout?: number): Promise<void> {
  await page.waitForFunction((wanted) => document.querySelectorAll('.picture img').length >= wanted, count, { timeout })
}

/** Waits until hardly anything goes over a line: fewer than 150 bytes in a second, twice of what a page takes that is left alone. */
export async function atRest(line: ThinLine): Promise<void> {
  const sum = () => line.bytes().down + line.bytes().up
  let before: number
  do {
    before = sum()
    await wait(1000)
  } while (sum() - before > 150)
}

/** Kilobytes a minute that go over a line in both directions. @param milliseconds for which they are counted */
export async function rateOf(line: ThinLine, milliseconds: number): Promise<number> {
  const before = line.bytes()
  const began = performance.now()
  await wait(milliseconds)
  const { down, up } = line.bytes()
  return ((down + up - before.down - before.up) / 1000 / (performance.now() - began)) * 60_000
}

/** Seconds that calls take which a page makes beside its pictures: half of them, and the slowest. @param every milliseconds */
export async function callsBeside(page: Page, count: number, every: number): Promise<[median: number, most: number]> {
  const took: number[] = []
  for (let turn = 0; turn < count; turn++) {
    took.push(
      await page.evaluate(async (path) => {
        const began = performance.now()
        await (await fetch(path, { cache: 'no-store' })).json()
        return (performance.now() - began) / 1000
      }, `/api${systemStatus.path}`)
    )
    await wait(every)
  }
  const sorted = took.toSorted((a, b) => a - b)
  return [sorted[Math.floor(count / 2)] ?? Number.NaN, sorted.at(-1) ?? Number.NaN]
}
