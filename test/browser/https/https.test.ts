// The console over HTTPS in a real browser: HTTP/2, the change feed, cookies, and changes of ports that the page
// follows.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { suite } from 'uvu'
import { ROUTES } from '../../../src/paths.ts'
import { SECURE_SESSION_COOKIE } from '../../../web-server/credentials.ts'
import { openChromium, signIn } from '../../kit/browser/browser.ts'
import { freeTcpPort } from '../../kit/net/free-port.ts'

const test = suite('https in a browser')

let data: string
let hub: ChildProcess
let browser: Browser
let context: BrowserContext
let page: Page
let httpPort: number
let httpsPort: number

test.before(async () => {
  data = mkdtempSync(join(tmpdir(), 'headend-https-'))
  httpPort = await freeTcpPort()
  httpsPort = await freeTcpPort()
  hub = spawn(process.execPath, ['hub/main.ts'], {
    env: {
      ...process.env,
      ...{ HOST: '127.0.0.1', PORT: String(httpPort), HTTPS_PORT: String(httpsPort), DATA: data },
      ...{ LINK_PORT: '0', FILES_PORT: '0', SRT_PORT: '0', RTMP_PORT: '0' }
    },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  if (hub.stdout) for await (const line of createInterface(hub.stdout)) if (line.startsWith('Hub: ')) break
  browser = await openChromium()
  // The certificate is the one that the hub has made itself.
  context = await browser.newContext({ ignoreHTTPSErrors: true })
  page = await context.newPage()
})
test.after(async () => {
  await browser?.close()
  if (hub && hub.exitCode === null) {
    hub.kill()
    await once(hub, 'exit')
  }
  rmSync(data, { recursive: true, force: true })
})

/** Changes a port on the page that is open. */
async function changePort(name: string, port: number): Promise<void> {
  await page.getByRole('button', { name: `Change port: ${name}` }).click()
  await page.getByRole('textbox', { name: 'Port' }).fill(String(port))
  await page.getByRole('button', { name: 'Save' }).click()
}

test('the console runs over HTTP/2, with its change feed over TLS and a cookie that only TLS can set', async () => {
  const feed = page.waitForEvent('websocket', (socket) => socket.url().startsWith('wss:'))
  await page.goto(`https://127.0.0.1:${httpsPort}/`)
  await signIn(page)
  await (await feed).waitForEvent('framereceived')
  assert.equal(
    await page.evaluate(
      () => (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).nextHopProtocol
    ),
    'h2'
  )
  const cookie = (await context.cookies()).find(({ name }) => name === SECURE_SESSION_COOKIE)
  assert.deepEqual([cookie?.secure, cookie?.httpOnly], [true, true])
})

test('the console follows to a new port by itself, signed in, and the old port is closed', async () => {
  await page.goto(`https://127.0.0.1:${httpsPort}/#${ROUTES.network}`)
  const next = await freeTcpPort()
  await changePort('Console (HTTPS)', next)
  await page.waitForURL(`https://127.0.0.1:${next}/#${ROUTES.network}`)
  await page.getByRole('heading', { name: 'Ports' }).waitFor()
  await assert.rejects(once(connect(httpsPort, '127.0.0.1'), 'connect'), { code: 'ECONNREFUSED' })
  httpsPort = next
})

test('a port that the console does not show is confirmed without leaving the page', async () => {
  const next = await freeTcpPort()
  await changePort('HLS and downloads', next)
  await page
    .getByText(`HLS and downloads${next}`)
    .or(page.getByText(String(next)))
    .first()
    .waitFor()
  await page.getByText('waits for its confirmation').waitFor({ state: 'hidden' })
  assert.equal(new URL(page.url()).port, String(httpsPort))
  assert.equal((await fetch(`http://127.0.0.1:${next}/nothing`)).status, 404)
})

test('a user who has signed in over HTTPS can sign in over HTTP as well', async () => {
  const other = await context.newPage()
  await context.clearCookies({ name: /^(?!__Host-)/ })
  await other.goto(`http://127.0.0.1:${httpPort}/`)
  await other.evaluate(() => localStorage.clear())
  await signIn(other)
  await other.getByRole('navigation', { name: 'Main menu' }).waitFor()
  assert.equal(new URL(other.url()).protocol, 'http:')
})

test.run()
