// Ports of devices that a user of the cloud reaches through a hub.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { NOT_LOGGED_IN, NOT_PERMITTED, SUCCESS } from '../../contract/codes.ts'
import { acceptDevices } from '../../contract/device/device.ts'
import { startPortForward, stopPortForward } from '../../contract/port-forward.ts'
import { FORWARD_PREFIX } from '../../contract/relay.ts'
import { type Answer, enter, type OpenedHub, requestAs, type Visitor, withOpenedHub } from '../kit/cloud/opened-hub.ts'
import { connectLinkDevice } from '../kit/fleet/link-device.ts'
import { serveTunnels } from '../kit/fleet/tunnel.ts'
import { helloOf } from '../kit/hub/register-devices.ts'
import { suite } from '../kit/runner/suite.ts'
import { until } from '../kit/until.ts'

const test = suite('ports behind a hub')
const { sn } = helloOf(1)

interface Forwarded extends OpenedHub {
  visitor: Visitor
  /** Port of the hub that is forwarded to a web server of a device. */
  localPort: number
  forwardId: number
}

/** Runs a test with a web server on a device, whose port a visitor has forwarded. */
function withForwardedPort(run: (fixture: Forwarded) => Promise<void>): Promise<void> {
  return withOpenedHub(async (fixture) => {
    const { hub, admin, open } = fixture
    const server = createServer((request, response) => {
      response.setHeader('set-cookie', `device=1; Path=/`)
      response.end(`${request.method} ${request.url} cookie=${request.headers.cookie ?? ''}`)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { linkPort } = await hub.listen(0, 0)
    const device = await connectLinkDevice(linkPort, helloOf(1), serveTunnels)
    try {
      await until(() => hub.parts.links.isOnline(sn), 'the device is online')
      await admin.send(acceptDevices, { sn: [sn] })
      const visitor = await open()
      const remotePort = (server.address() as AddressInfo).port
      const { result, forward } = await visitor.send(startPortForward, { sn, 'remote-port': remotePort })
      assert.equal(result, SUCCESS)
      await run({ ...fixture, visitor, localPort: forward['local-port'], forwardId: forward.id })
    } finally {
      await device.end()
      server.close()
    }
  })
}

interface Page {
  host: string
  get(path: string, headers?: Record<string, string>): Promise<Answer>
}

/** Follows the form that opens a page behind a hub. */
async function openPage({ webPort }: OpenedHub, { host: console, visit }: Visitor, path: string): Promise<Page> {
  const { text } = await visit(path, { headers: { 'sec-fetch-site': 'same-origin' } })
  const [, url = '', ticket = ''] = /action="([^"]+)".*value="([^"]+)"/.exec(text) ?? []
  const { headers } = await enter(webPort, url, ticket, `http://${console}`)
  const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  const { host } = new URL(url)
  return { host, get: (to, more) => requestAs(webPort, host, to, { headers: { cookie, ...more } }) }
}

test('a forwarded port is reached at an origin of its own, whose cookies stay in the cloud', () =>
  withForwardedPort(async (fixture) => {
    const { visitor, localPort } = fixture
    const page = await openPage(fixture, visitor, `${FORWARD_PREFIX}${localPort}/`)
    assert.notEqual(page.host, visitor.host)
    const first = await page.get('/')
    assert.equal(first.text, 'GET / cookie=')
    assert.equal(first.headers['set-cookie'], undefined)
    assert.match(String(first.headers['content-security-policy']), /sandbox/)
    const own = { 'sec-fetch-site': 'same-origin' }
    assert.equal((await page.get('/a?b=1', own)).text, 'GET /a?b=1 cookie=device=1')
    // Pages of other origins may only link to the first page.
    assert.equal((await page.get('/a', { 'sec-fetch-site': 'cross-site' })).status, 403)
    // It is not the console.
    assert.match((await page.get('/api/session', own)).text, /^GET \/api\/session /)
  }))

test('a page behind a hub opens with a form of the console of this hub only, and for the page that it names', () =>
  withForwardedPort(async (fixture) => {
    const { visitor, localPort, webPort } = fixture
    const { text } = await visitor.visit(`${FORWARD_PREFIX}${localPort}/`)
    const [, url = '', ticket = ''] = /action="([^"]+)".*value="([^"]+)"/.exec(text) ?? []
    for (const origin of ['http://evil.test', `http://localhost:${webPort}`, `http://other.localhost:${webPort}`])
      assert.equal((await enter(webPort, url, ticket, origin)).status, 403, origin)
    // Another site cannot make the console open it.
    const foreign = await visitor.visit(`${FORWARD_PREFIX}${localPort}/`, {
      headers: { 'sec-fetch-site': 'cross-site' }
    })
    assert.equal(JSON.parse(foreign.text).result, NOT_PERMITTED)
    const other = await visitor.visit(`${FORWARD_PREFIX}1/`)
    const [, otherUrl = ''] = /action="([^"]+)"/.exec(other.text) ?? []
    assert.equal((await enter(webPort, otherUrl, ticket, `http://${visitor.host}`)).status, 401)
    // The session of the console opens no page.
    const { host } = new URL(url)
    const refused = await requestAs(webPort, host, '/', { headers: { cookie: visitor.cookie } })
    assert.equal(JSON.parse(refused.text).result, NOT_LOGGED_IN)
  }))

test('a port that another session has forwarded, and one that is closed, is not reached', () =>
  withForwardedPort(async (fixture) => {
    const { visitor, localPort, cloud, open, forwardId } = fixture
    const stranger = await open(await cloud.clientAs())
    const path = `${FORWARD_PREFIX}${localPort}/`
    assert.equal((await (await openPage(fixture, stranger, path)).get('/')).status, 502)
    const page = await openPage(fixture, visitor, path)
    assert.equal((await page.get('/')).status, 200)
    assert.equal((await visitor.send(stopPortForward, { id: forwardId } as never)).result, SUCCESS)
    assert.equal((await page.get('/')).status, 502)
  }))

test.run()
