// A hub that listens on all addresses (`HOST=::`), with clients over IPv6 and IPv4.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { suite } from 'uvu'
import { login } from '../../../contract/access/session.ts'
import { listSessions } from '../../../contract/access/user.ts'
import type { Call, Envelope } from '../../../contract/call.ts'
import { MISMATCH, SUCCESS } from '../../../contract/codes.ts'
import { HELLO_HEADER, LINK_PROTOCOL } from '../../../contract/device/link.ts'
import { listenAddress } from '../../../engine/access/listen-address.ts'
import { helloHeader } from '../../kit/fleet/link-device.ts'
import { md5 } from '../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../kit/hub/hub-for-each.ts'
import { helloOf } from '../../kit/hub/register-devices.ts'

const test = suite('IPv6 and IPv4 on one port')
let port: number
let linkPort: number
hubForEach(test, { host: '::' })
test.before.each(async () => {
  const open = await hub.listen(0, 0)
  port = open.port
  linkPort = open.linkPort
})

/** Makes a call as a browser does that has opened the hub at an address. */
async function send<Request extends object, Reply>(
  address: string,
  { method, path }: Call<Request, Reply>,
  body: Request
): Promise<{ reply: Reply & Envelope; cookie: string }> {
  const host = address.includes(':') ? `[${address}]` : address
  const headers = { host: `${host}:${port}`, 'content-type': 'application/json' }
  const outgoing = request({ host: address, port, method, path: `/api${path}`, headers })
  const [response] = await once(outgoing.end(method === 'GET' ? '' : JSON.stringify(body)), 'response')
  let text = ''
  for await (const chunk of response) text += chunk
  return { reply: JSON.parse(text), cookie: response.headers['set-cookie']?.[0] ?? '' }
}

test('browsers sign in at either address, and the address of an IPv4 client is written as IPv4', async () => {
  for (const address of ['127.0.0.1', '::1']) {
    const { reply, cookie } = await send(address, login, { id: 'Admin', pass: md5('Admin') })
    assert.equal(reply.result, SUCCESS, address)
    assert.match(cookie, /^[^=]+=.+/)
  }
  const { list } = await admin.send(listSessions, {})
  const addresses = list.map(({ ip }) => ip)
  for (const address of ['127.0.0.1', '::1']) assert.ok(addresses.includes(address), addresses.join())
})

test('the page and its files are served at an IPv6 address, and a foreign name is refused there, too', async () => {
  const status = async (host: string) => {
    const [response] = await once(
      request({ host: '::1', port, path: '/healthz/live', headers: { host } }).end(),
      'response'
    )
    response.resume()
    return response.statusCode
  }
  assert.deepEqual([await status(`[::1]:${port}`), await status('[2001:db8::bad]')], [200, 421])
})

test('a client cannot avoid the lock-out with other addresses of its IPv6 network', async () => {
  const wrong = { id: 'Admin', pass: md5('wrong') }
  for (let attempt = 0; attempt < 20; attempt++)
    await hub.client(`2001:db8:7:7::${attempt.toString(16)}`).send(login, wrong)
  const right = { id: 'Admin', pass: md5('Admin') }
  assert.equal((await hub.client('2001:db8:7:7:ffff::1').send(login, right)).result, MISMATCH)
  assert.equal((await hub.client('::ffff:192.0.2.7').send(login, right)).result, SUCCESS)
})

test('a device that registers over IPv4 is stored with its IPv4 address', async () => {
  for (const [index, host] of ['127.0.0.1', '::1'].entries()) {
    const hello = helloOf(index + 1)
    const socket = connect(linkPort, host)
    socket.on('error', () => {})
    const header = `${HELLO_HEADER}: ${helloHeader(hello)}`
    socket.write(
      `GET /link HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${LINK_PROTOCOL}\r\n${header}\r\n\r\n`
    )
    await once(socket, 'data')
    socket.destroy()
    assert.equal(hub.parts.store.devices.bySerial(hello.sn)?.connect_ip, host)
  }
})

test('on a kernel without IPv6, all addresses are those of IPv4', () => {
  assert.deepEqual(
    [listenAddress('::', false), listenAddress('::', true), listenAddress('::1', false)],
    ['0.0.0.0', '::', '::1']
  )
})

test.run()
