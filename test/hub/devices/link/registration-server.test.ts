import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { suite } from 'uvu'
import { REGISTRATION } from '../../../../contract/device/device.ts'
import { HELLO_HEADER, LINK_PROTOCOL, REFUSAL } from '../../../../contract/device/link.ts'
import { createDeviceLinks, type DeviceLinks, type DeviceLinksOptions } from '../../../../hub/devices/link/links.ts'
import { helloOf } from '../../../kit/device.ts'
import { dial, helloHeader, knock } from '../../../kit/link-device.ts'
import { until } from '../../../kit/until.ts'

const test = suite('door')
let links: DeviceLinks | undefined
const sockets: Socket[] = []
test.after.each(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await links?.close()
  links = undefined
})

async function open(options: Partial<DeviceLinksOptions> = {}) {
  const news: string[] = []
  links = createDeviceLinks({
    hello: () => ({ state: REGISTRATION.accepted }),
    up: (sn, address) => news.push(`up ${sn} ${address}`),
    down: (sn, reason) => news.push(`down ${sn}: ${reason}`),
    ...options
  })
  return { links, news, port: await links.listen(0, '127.0.0.1') }
}

/** A connection that says what a test says. `text` is all that came back. */
async function raw(port: number, first = '') {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  sockets.push(socket)
  socket.on('error', () => {})
  const said = { socket, text: '', closed: false }
  socket.on('data', (chunk) => {
    said.text += chunk.toString('latin1')
  })
  for (const event of ['end', 'close'])
    socket.on(event, () => {
      said.closed = true
    })
  await once(socket, 'connect')
  if (first) socket.write(first)
  return said
}

const upgrade = (hello: string, more = '') =>
  `GET /link HTTP/1.1\r\nHost: hub\r\nConnection: Upgrade\r\nUpgrade: ${LINK_PROTOCOL}\r\n${HELLO_HEADER}: ${hello}\r\n${more}\r\n`

test('a device that is accepted, or waits for a decision, is let in and told so', async () => {
  const states = [REGISTRATION.accepted, REGISTRATION.pending]
  const seen: unknown[] = []
  const { port, news } = await open({
    hello(hello, address) {
      seen.push([hello, address])
      return { state: states[seen.length - 1] ?? 0 }
    }
  })
  const [a, b] = [await dial(port, helloOf(1)), await dial(port, helloOf(2, { code: '0165' }))]
  assert.deepEqual([a.state, b.state], states)
  assert.deepEqual(seen, [
    [helloOf(1), '127.0.0.1'],
    [helloOf(2, { code: '0165' }), '127.0.0.1']
  ])
  await until(() => news.length === 2, 'both are up')
  assert.deepEqual(news.sort(), [`up ${helloOf(1).sn} 127.0.0.1`, `up ${helloOf(2).sn} 127.0.0.1`])
})

test('a refusal says the state, for each reason', async () => {
  const refusals = [REGISTRATION.rejected, REFUSAL.exists, REFUSAL.wrongCode, REFUSAL.illegalDevice]
  let refuse = 0
  const { port, news, links } = await open({ hello: () => ({ refuse }) })
  for (refuse of refusals) {
    const answer = await knock(port, { header: helloHeader(helloOf(1)) })
    assert.deepEqual(answer, { status: 403, body: JSON.stringify({ state: refuse }) })
  }
  assert.deepEqual([news, links.count], [[], 0])
})

test('a hello that is missing, damaged or implausible is an illegal device, and nobody is asked about it', async () => {
  let asked = 0
  const { port } = await open({
    hello() {
      asked++
      return { state: REGISTRATION.accepted }
    }
  })
  const headers = [
    undefined,
    'garbage!',
    helloHeader({}),
    helloHeader({ ...helloOf(1), name: 'x'.repeat(65) }),
    helloHeader({ ...helloOf(1), module: 1 }),
    helloHeader({ ...helloOf(1), key: 7 }),
    'A'.repeat(4097)
  ]
  for (const header of headers)
    assert.deepEqual(await knock(port, { header }), { status: 403, body: '{"state":107}' }, header)
  assert.equal(asked, 0)
})

test('another path, protocol or kind of request is not a link', async () => {
  const { port } = await open()
  const header = helloHeader(helloOf(1))
  assert.partialDeepStrictEqual(await knock(port, { header, path: '/' }), { status: 404 })
  assert.partialDeepStrictEqual(await knock(port, { header, protocol: 'websocket' }), { status: 426 })
  const plain = await raw(port, 'GET /link HTTP/1.1\r\nHost: hub\r\n\r\n')
  await until(() => plain.closed || /^HTTP\/1.1 426 /.test(plain.text), 'it is told')
  const noise = await raw(port, '\x16\x03\x01\x00\xa5\x01\x00\x00')
  await until(() => noise.text.startsWith('HTTP/1.1 400 '), 'it is told')
})

test('a header of endless length is cut off', async () => {
  const { port } = await open()
  const flood = await raw(port, upgrade('A'.repeat(20_000)))
  await until(() => /^HTTP\/1.1 431 /.test(flood.text), 'it is told')
})

test('whoever speaks before it was let in is no device', async () => {
  const { port } = await open()
  const eager = await raw(port, `${upgrade(helloHeader(helloOf(1)))}PRI * HTTP/2.0`)
  await until(() => eager.text.endsWith('{"state":107}'), 'it is refused')
})

test('who says nothing, half a hello, or nothing after it is shut out in time', async () => {
  const { port, news, links } = await open({ handshakeTimeout: 300 })
  const header = helloHeader(helloOf(1))
  const silent = await raw(port)
  const half = await raw(port, upgrade(header).slice(0, 50))
  const dead = await raw(port, upgrade(header))
  const refused = await raw(port, upgrade('garbage!'))
  await until(() => dead.text.includes('101 Switching'), 'it is let in')
  assert.equal(links.online(helloOf(1).sn), false, 'let in, but not proved to be a device')
  for (const one of [silent, half, dead, refused]) await until(() => one.closed, 'it is shut out', 2000)
  assert.deepEqual([news, links.count], [[], 0])
})

test('only so many strangers are let near at a time, in all and from one address; devices do not count', async () => {
  const { port, links } = await open({ halfOpenMax: 8, halfOpenPerAddress: 3 })
  const device = await dial(port, helloOf(1))
  await until(() => links.count === 1, 'it is up')
  const three = [await raw(port), await raw(port), await raw(port)]
  const fourth = await raw(port)
  await until(() => fourth.closed, 'the fourth is shut out')
  assert.ok(three.every((one) => !one.closed))
  three[0]?.socket.destroy()
  let second: Awaited<ReturnType<typeof dial>> | undefined
  for (let tries = 0; !second && tries < 50; tries++) second = await dial(port, helloOf(2)).catch(() => undefined)
  assert.ok(second, 'there is room again')
  await until(() => links.count === 2, 'it is up')
  assert.equal(device.socket.destroyed, false)
})

test('strangers are counted over all addresses, too', async () => {
  const { port } = await open({ halfOpenMax: 2, halfOpenPerAddress: 3 })
  const two = [await raw(port), await raw(port)]
  const third = await raw(port)
  await until(() => third.closed, 'the third is shut out')
  assert.ok(two.every((one) => !one.closed))
})

test('a hub that cannot decide says so and lives on', async () => {
  const errors = console.error
  console.error = () => {}
  try {
    let broken = true
    const { port } = await open({
      hello() {
        if (broken) throw new Error('disk full')
        return { state: REGISTRATION.pending }
      }
    })
    assert.partialDeepStrictEqual(await knock(port, { header: helloHeader(helloOf(1)) }), { status: 500 })
    broken = false
    assert.equal((await dial(port, helloOf(1))).state, REGISTRATION.pending)
  } finally {
    console.error = errors
  }
})

test('closing shuts out strangers and devices, and frees the port', async () => {
  const { port, links, news } = await open()
  const stranger = await raw(port)
  const device = await dial(port, helloOf(1))
  await until(() => links.count === 1, 'it is up')
  await links.close()
  await until(() => stranger.closed, 'the stranger is out')
  await device.closed
  assert.deepEqual(news.at(-1), `down ${helloOf(1).sn}: the hub is closing`)
  await assert.rejects(knock(port, {}), { code: 'ECONNREFUSED' })
})

test('a port in use is said', async () => {
  const { port } = await open()
  const other = createDeviceLinks({ hello: () => ({ state: 0 }), up() {}, down() {} })
  await assert.rejects(other.listen(port, '127.0.0.1'), { code: 'EADDRINUSE' })
})

test.run()
