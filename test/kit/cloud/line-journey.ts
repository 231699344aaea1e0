// A hub behind a bad line to its cloud, with a browser at the cloud: a program of its own, so that it can run in a
// network namespace, where nft drops a share of the packets of the line. Prints the measured values as JSON.
//   node line-journey.ts rate           64 kbit/s with a round-trip time of 400 ms
//   node line-journey.ts loss PERCENT   drops packets of the line, in the namespace in which it runs
import { execFileSync } from 'node:child_process'
import type { Page } from 'playwright-core'
import { setDeviceName } from '../../../contract/machine/name.ts'
import { systemStatus } from '../../../contract/system.ts'
import { openChromium, signIn, WITHOUT_MOTION } from '../browser/browser.ts'
import { LATENCY, RATE, waitForDashboard } from '../browser/page-traffic.ts'
import { startThrottledProxy, type ThrottledProxy } from '../net/throttled-proxy.ts'
import { LIMIT } from '../until.ts'
import { type OpenedHub, withOpenedHub } from './opened-hub.ts'

export interface LineResult {
  /** Seconds from the sign-in at the cloud until the dashboard of the hub is filled; absent if it was not opened. */
  dashboard?: number | undefined
  /** Bytes on the line until then: to the hub, and from it. */
  bytes?: { down: number; up: number } | undefined
  /** How calls ended that were made one after the other by several callers: the result code, and seconds. */
  calls: { result: number; isWrite: boolean; seconds: number }[]
}

/** Percent of lost packets above which no page is opened, because no bound is stated. */
const WITHOUT_PAGE = 10
/** Callers at the same time, and calls of each. */
const CALLERS = 4
const CALLS = 10

const since = (began: number) => (performance.now() - began) / 1000

/** Drops packets of connections to a port of this namespace, in both directions. */
function dropPackets(port: number, percent: number): void {
  const rule = (side: string) => `tcp ${side} ${port} numgen random mod 100 < ${percent} drop`
  const chain = ['type filter hook input priority 0', rule('dport'), rule('sport')]
  const table = `table inet line {\n chain lost {\n${chain.join('\n')}\n }\n}\n`
  execFileSync('nft', ['-f', '-'], { input: table })
}

/** Signs in at the cloud, opens the hub, and waits for its dashboard. @returns seconds from the sign-in */
async function openDashboard(page: Page, webPort: number): Promise<number> {
  await page.goto(`http://127.0.0.1:${webPort}/`)
  const began = performance.now()
  await signIn(page)
  const opened = page.waitForEvent('popup')
  await page.goto(`http://127.0.0.1:${webPort}/#/hubs/accepted`)
  await page.getByRole('table').getByRole('button', { name: /^Open/ }).click()
  await waitForDashboard(await opened)
  return since(began)
}

async function makeCalls({ open }: OpenedHub): Promise<LineResult['calls']> {
  const visitor = await open()
  const calls: LineResult['calls'] = []
  const makeCall = async (turn: number) => {
    const began = performance.now()
    const isWrite = turn % 2 === 0
    const { result } = isWrite
      ? await visitor.send(setDeviceName, { name: `Hall ${turn}` })
      : await visitor.send(systemStatus, {})
    calls.push({ result, isWrite, seconds: since(began) })
  }
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      for (let turn = 0; turn < CALLS; turn++) await makeCall(turn)
    })
  )
  return calls
}

const [kind = '', percent = '0'] = process.argv.slice(2)
const browser = await openChromium()
let line: ThrottledProxy | undefined
/** The port at which the hub reaches the cloud. */
async function reach(port: number): Promise<number> {
  if (kind === 'rate') line = await startThrottledProxy(port, { rate: RATE, delay: LATENCY / 2 })
  return line?.port ?? port
}
try {
  await withOpenedHub(
    async (fixture) => {
      if (!line) dropPackets(fixture.port, Number(percent))
      const context = await browser.newContext({ locale: 'en-US', ...WITHOUT_MOTION })
      context.setDefaultTimeout(LIMIT)
      const hasPage = Number(percent) <= WITHOUT_PAGE
      const before = line?.bytes()
      const dashboard = hasPage ? await openDashboard(await context.newPage(), fixture.webPort) : undefined
      const after = line?.bytes()
      const bytes = before && after && { down: after.down - before.down, up: after.up - before.up }
      await context.close()
      const calls = await makeCalls(fixture)
      console.log(JSON.stringify({ dashboard, bytes, calls } satisfies LineResult))
    },
    'dist',
    reach
  )
} finally {
  await line?.close()
  await browser.close()
}
process.exit()
