import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { suite } from 'uvu'
import { CLIENT_OFFLINE, DEVICE_BUSY, TARGET_TIMEOUT } from '../../../../contract/codes.ts'
import { REGISTRATION_STATE } from '../../../../contract/device/device.ts'
import type { PushOrder } from '../../../../contract/device/link.ts'
import {
  createDeviceLinks,
  type DeviceLinks,
  type DeviceLinksOptions,
  LinkError
} from '../../../../hub/devices/link/links.ts'
import {
  type CallHandler,
  connectLinkDevice,
  helloHeader,
  type LinkDevice,
  openLink
} from '../../../kit/fleet/link-device.ts'
import { recordProcessLog } from '../../../kit/hub/process-log.ts'
import { helloOf } from '../../../kit/hub/register-devices.ts'
import { ownTime } from '../../../kit/own-time.ts'
import { until } from '../../../kit/until.ts'

const test = suite('device links')
const { sn } = helloOf(1)
let links: DeviceLinks
/** Calls of `onUp` and `onDown`. */
let events: string[]
let port: number
let children: ChildProcess[] = []

async function open(options: Partial<DeviceLinksOptions> = {}) {
  await links?.close()
  events = []
  links = createDeviceLinks({
    register: () => ({ state: REGISTRATION_STATE.accepted }),
    onUp: (sn) => events.push(`up ${sn}`),
    onDown: (sn, reason) => events.push(`down ${sn}: ${reason}`),
    ...options
  })
  port = await links.listen(0, '127.0.0.1')
}

test.before.each(() => open())
test.after.each(async () => {
  for (const child of children) child.kill('SIGKILL')
  children = []
  await links.close()
})

async function device(index = 1, serve?: CallHandler): Promise<LinkDevice> {
  const linkDevice = await connectLinkDevice(port, helloOf(index), serve)
  await until(() => links.isOnline(helloOf(index).sn), 'it is online')
  return linkDevice
}

/** Starts a device in a process of its own. */
async function deviceProcess(index = 1): Promise<ChildProcess> {
  const program = `${import.meta.dirname}/../../../kit/fleet/link-device-process.ts`
  const child = spawn(process.execPath, [program, String(port), JSON.stringify(helloOf(index))], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  children.push(child)
  await until(() => links.isOnline(helloOf(index).sn), 'it is online')
  return child
}

const refusedWith = (code: number) => (error: unknown) => error instanceof LinkError && error.code === code

test('a request arrives at the device unchanged, and so does its response at the hub', async () => {
  const { calls } = await device(1, ({ path }, stream) => {
    stream.respond({ ':status': 418, 'x-model': 'AIO' })
    stream.end(`requested ${path}`)
  })
  const call = { method: 'POST', path: '/usapi?method=set-name&name=%20x', headers: { 'x-a': 'b' }, body: '{"a":"é"}' }
  const response = await links.request(sn, call, 10_000)
  assert.deepEqual(calls, [{ method: 'POST', path: call.path, body: call.body }])
  assert.deepEqual([response.status, response.headers['x-model']], [418, 'AIO'])
  assert.equal(response.body.toString(), `requested ${call.path}`)
})

test('five hundred concurrent requests each get their own response', async () => {
  await device(1, async ({ path }) => {
    for (let turn = Math.random() * 20; turn > 0; turn--) await new Promise((resolve) => setImmediate(resolve))
    return { path }
  })
  const paths = Array.from({ length: 500 }, (_, index) => `/usapi?method=ping&n=${index}`)
  const responses = await Promise.all(paths.map((path) => links.request(sn, { method: 'GET', path }, 5000)))
  assert.deepEqual(
    responses.map(({ body }) => JSON.parse(body.toString()).path),
    paths
  )
})

test('a response of the maximum size is read completely; one more byte counts as no response and ends the transfer', async () => {
  const size = 3 << 20
  await device(1, (_call, stream) => {
    stream.respond({ ':status': 200 })
    stream.end(Buffer.alloc(size, 7))
  })
  const call = { method: 'GET', path: '/usapi?method=export' }
  const { body } = await links.request(sn, { ...call, maxBody: size }, 5000)
  assert.equal(body.length, size)
  assert.ok(body.every((byte) => byte === 7))
  await assert.rejects(links.request(sn, { ...call, maxBody: size - 1 }, 5000), refusedWith(TARGET_TIMEOUT))
  assert.ok(links.isOnline(sn))
})

test('by default the maximum size of a response is 8 MiB', async () => {
  let sentChunks = 0
  await device(1, (_call, stream) => {
    stream.respond({ ':status': 200 })
    const more = () => {
      do sentChunks++
      while (!stream.destroyed && stream.write(Buffer.alloc(65_536)))
    }
    stream.on('drain', more)
    more()
  })
  await assert.rejects(links.request(sn, { method: 'GET', path: '/' }, 5000), refusedWith(TARGET_TIMEOUT))
  assert.ok(sentChunks > 120, 'the transfer ended near the limit')
})

test('a request without a response in time fails, and the next one succeeds', async () => {
  const cancelled: number[] = []
  await device(1, ({ path }, stream) => {
    stream.on('close', () => cancelled.push(stream.rstCode ?? 0))
    if (path === '/slow') return undefined
    if (path !== '/half') return { ok: true }
    stream.respond({ ':status': 200 })
    stream.write('{"result":')
  })
  for (const path of ['/slow', '/half']) {
    const call = links.request(sn, { method: 'GET', path }, 100)
    await assert.rejects(call, refusedWith(TARGET_TIMEOUT))
  }
  await until(() => cancelled.length === 2, 'both streams were cancelled')
  assert.deepEqual(cancelled, [8, 8])
  assert.equal((await links.request(sn, { method: 'GET', path: '/' }, 10_000)).status, 200)
})

test('an aborted response counts as no response', async () => {
  await device(1, ({ path }, stream) => {
    if (path === '/lie') {
      stream.respond({ ':status': 200, 'content-length': 100 })
      return void stream.end('short')
    }
    if (path === '/reset') {
      stream.respond({ ':status': 200 })
      stream.write('{"result":', () => stream.destroy(new Error('reset')))
    } else stream.close(7)
  })
  for (const path of ['/lie', '/reset', '/refused'])
    await assert.rejects(links.request(sn, { method: 'GET', path }, 3000), refusedWith(TARGET_TIMEOUT), path)
  assert.ok(links.isOnline(sn))
})

test('a request fails as offline without a link, and if the link ends during it', async () => {
  await assert.rejects(links.request(sn, { method: 'GET', path: '/' }, 10_000), refusedWith(CLIENT_OFFLINE))
  const endings: ((linkDevice: LinkDevice) => void)[] = [
    (linkDevice) => linkDevice.socket.destroy(),
    (linkDevice) => linkDevice.socket.end(),
    (linkDevice) => linkDevice.socket.resetAndDestroy(),
    (linkDevice) => linkDevice.session.destroy(),
    () => links.disconnect(sn, 'because')
  ]
  for (const endConnection of endings) {
    const linkDevice = await device(1, (_call, stream) => {
      stream.respond({ ':status': 200 })
      stream.write('{"half":')
    })
    const call = links.request(sn, { method: 'GET', path: '/' }, 5000)
    call.catch(() => {})
    await until(() => linkDevice.calls.length === 1, 'the request arrived')
    endConnection(linkDevice)
    await assert.rejects(call, refusedWith(CLIENT_OFFLINE), String(endConnection))
    await assert.rejects(links.request(sn, { method: 'GET', path: '/' }, 10_000), refusedWith(CLIENT_OFFLINE))
  }
})

test('orders are sent as specified in the contract; a refusal carries the device’s own result code', async () => {
  const order: PushOrder = {
    port: 7000,
    'stream-id': 'push/a',
    passphrase: 'p'.repeat(32),
    latency: 120,
    'stream-index': 0
  }
  let stateResponse: unknown = { result: 0 }
  const { calls } = await device(1, ({ path }, stream) => {
    if (path !== '/link/state') return stateResponse
    stream.respond({ ':status': 204 }, { endStream: true })
  })
  await links.orderStream(sn, order)
  await links.cancelOrder(sn)
  await links.sendRegistrationState(sn, REGISTRATION_STATE.accepted)
  assert.deepEqual(
    calls.map(({ method, path, body }) => [method, path, JSON.parse(body)]),
    [
      ['POST', '/link/push', order],
      ['POST', '/link/push-stop', {}],
      ['POST', '/link/state', { state: 101 }]
    ]
  )
  stateResponse = { result: DEVICE_BUSY }
  await assert.rejects(links.orderStream(sn, order), refusedWith(DEVICE_BUSY))
  for (stateResponse of [{}, [], 'no', null, { result: '0' }, { result: 1.5 }])
    await assert.rejects(links.orderStream(sn, order), refusedWith(TARGET_TIMEOUT), JSON.stringify(stateResponse))
  await assert.rejects(links.orderStream('unknown', order), refusedWith(CLIENT_OFFLINE))
  await assert.rejects(links.sendRegistrationState('unknown', 101), refusedWith(CLIENT_OFFLINE))
})

test('a link that ends is reported down at once, and only once', async () => {
  const endings: ((linkDevice: LinkDevice) => void)[] = [
    (linkDevice) => linkDevice.socket.destroy(),
    (linkDevice) => linkDevice.socket.end(),
    (linkDevice) => linkDevice.socket.resetAndDestroy(),
    (linkDevice) => linkDevice.session.close(),
    (linkDevice) => linkDevice.session.destroy(),
    (linkDevice) => linkDevice.session.goaway(2),
    (linkDevice) => linkDevice.socket.write('this is no frame, this is no frame')
  ]
  for (const [index, endConnection] of endings.entries()) {
    const linkDevice = await device()
    endConnection(linkDevice)
    await until(() => !links.isOnline(sn), `it is down (${index})`)
    assert.doesNotMatch(events.at(-1) ?? '', /no response/, 'it is not found by a ping')
    linkDevice.socket.destroy()
  }
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(links.count, 0)
  assert.deepEqual(
    events.map((line) => line.split(' ')[0]),
    endings.flatMap(() => ['up', 'down'])
  )
})

test('a new link replaces one with the same serial number that does not respond any more', async () => {
  const duplicates: string[] = []
  await open({ hasKey: () => true, onDuplicate: (hello) => duplicates.push(hello.sn), pingTimeout: 20_000 })
  const older = await deviceProcess(1)
  older.kill('SIGSTOP')
  const newer = await connectLinkDevice(port, helloOf(1), () => 'newer')
  await until(() => events.length === 3, 'the newer one is up')
  assert.deepEqual(events, [`up ${sn}`, `down ${sn}: replaced by a newer link`, `up ${sn}`])
  assert.equal((await links.request(sn, { method: 'GET', path: '/' }, 10_000)).body.toString(), '"newer"')
  assert.deepEqual([links.count, duplicates], [1, []])
  await newer.end()
  await until(() => events.length === 4, 'it is down')
})

test('a duplicate of a device that responds is refused and reported', async () => {
  const duplicates: unknown[] = []
  await open({ hasKey: () => true, onDuplicate: (hello, address) => duplicates.push([hello.name, address]) })
  const linkDevice = await device(1, () => 'one')
  for (let round = 1; round <= 3; round++) {
    await assert.rejects(connectLinkDevice(port, helloOf(1, { name: 'Copy' })), /refused: 403 .*105/)
    assert.deepEqual(duplicates.at(-1), ['Copy', '127.0.0.1'])
    assert.equal(duplicates.length, round)
  }
  assert.deepEqual(events, [`up ${sn}`])
  assert.equal((await links.request(sn, { method: 'GET', path: '/' }, 10_000)).body.toString(), '"one"')
  await linkDevice.end()
  await until(() => !links.isOnline(sn), 'the device is offline')
  await device(1)
})

test('a refused registration does not end the existing link with the same serial number', async () => {
  let refuse = false
  await open({ register: () => (refuse ? { refuse: 105 } : { state: 101 }) })
  const linkDevice = await device()
  refuse = true
  await assert.rejects(connectLinkDevice(port, helloOf(1)), /refused: 403/)
  assert.deepEqual([linkDevice.socket.destroyed, links.isOnline(sn), events], [false, true, [`up ${sn}`]])
})

test('disconnecting reports the reason, and does nothing without a link', async () => {
  const linkDevice = await device()
  await links.disconnect('unknown', 'because')
  await links.disconnect(sn, 'because')
  assert.deepEqual(events, [`up ${sn}`, `down ${sn}: because`])
  await linkDevice.closed
  assert.equal(links.isOnline(sn), false)
})

test('an idle link stays up while the device acknowledges pings', async () => {
  await open({ pingInterval: 10, pingTimeout: 2000 })
  const linkDevice = await device()
  let pings = 0
  linkDevice.session.on('ping', () => pings++)
  await until(() => pings > 20, 'more than 20 pings')
  assert.deepEqual(events, [`up ${sn}`])
})

test('a stopped device process is detected within 5 s with the default timeouts', async () => {
  const child = await deviceProcess()
  child.kill('SIGSTOP')
  const call = links.request(sn, { method: 'GET', path: '/' }, 10_000)
  const took = await ownTime(() => assert.rejects(call, refusedWith(CLIENT_OFFLINE)))
  assert.ok(took < 5000, `${took} ms`)
  assert.deepEqual(events, [`up ${sn}`, `down ${sn}: no response for 2.5 s`])
  child.kill('SIGCONT')
  await once(child, 'exit')
})

test('the link of a killed device process is down at once', async () => {
  const child = await deviceProcess()
  child.kill('SIGKILL')
  await until(() => !links.isOnline(sn), 'it is down')
  assert.doesNotMatch(events.at(-1) ?? '', /no response/, 'it is not found by a ping')
})

test('a peer that stops reading is detected, even while the hub is sending to it', async () => {
  await open({ pingInterval: 50, pingTimeout: 400 })
  const openedLink = await openLink(port, { header: helloHeader(helloOf(1)) })
  assert.ok('socket' in openedLink)
  // An empty SETTINGS frame is sufficient for a link to be up.
  openedLink.socket.pause().write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]))
  await until(() => links.isOnline(sn), 'it is online')
  const call = links.request(sn, { method: 'POST', path: '/', body: Buffer.alloc(1 << 20) }, 10_000)
  await assert.rejects(call, refusedWith(CLIENT_OFFLINE))
  assert.deepEqual(events, [`up ${sn}`, `down ${sn}: no response for 0.4 s`])
  openedLink.socket.destroy()
})

test('a blocked event loop of the hub does not end links', async () => {
  await open({ pingInterval: 10, pingTimeout: 150 })
  const linkDevice = await device()
  let stops = 0
  // The ping has arrived, and its response arrives before the hub's event loop runs again, which is after the timeout.
  linkDevice.session.on('ping', () => {
    if (++stops <= 3) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250)
  })
  await until(() => stops > 5 || events.length > 1, 'another ping')
  assert.deepEqual(events, [`up ${sn}`])
})

test('an error in a listener does not affect the link', async () => {
  await recordProcessLog(async (lines) => {
    const fail = () => {
      throw new Error('disk full')
    }
    await open({ onUp: fail, onDown: fail })
    const linkDevice = await device()
    assert.equal((await links.request(sn, { method: 'GET', path: '/' }, 10_000)).status, 200)
    await linkDevice.end()
    await until(() => lines.length === 2, 'both errors are logged')
    assert.equal(links.count, 0)
  })
})

test('two hundred devices connect at once, respond, and disconnect', async () => {
  await open({ halfOpenPerAddress: 1000 })
  const indices = Array.from({ length: 200 }, (_, index) => index)
  const all = await Promise.all(indices.map((index) => connectLinkDevice(port, helloOf(index), () => index)))
  await until(() => links.count === 200, 'all are up')
  const responses = await Promise.all(
    indices.map((index) => links.request(helloOf(index).sn, { method: 'GET', path: '/' }, 5000))
  )
  assert.deepEqual(
    responses.map(({ body }) => Number(body)),
    indices
  )
  for (const linkDevice of all) linkDevice.socket.destroy()
  await until(() => links.count === 0, 'all are down')
  assert.equal(events.length, 400)
})

test.run()
