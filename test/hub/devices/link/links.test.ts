import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { suite } from 'uvu'
import { CLIENT_OFFLINE, DEVICE_BUSY, TARGET_TIMEOUT } from '../../../../contract/codes.ts'
import { REGISTRATION } from '../../../../contract/device/device.ts'
import type { PushOrder } from '../../../../contract/device/link.ts'
import {
  createDeviceLinks,
  type DeviceLinks,
  type DeviceLinksOptions,
  LinkError
} from '../../../../hub/devices/link/links.ts'
import { helloOf } from '../../../kit/device.ts'
import { dial, helloHeader, knock, type LinkDevice, type Serve } from '../../../kit/link-device.ts'
import { until } from '../../../kit/until.ts'

const test = suite('links')
const { sn } = helloOf(1)
let links: DeviceLinks
let news: string[]
let port: number
let children: ChildProcess[] = []

async function open(options: Partial<DeviceLinksOptions> = {}) {
  await links?.close()
  news = []
  links = createDeviceLinks({
    hello: () => ({ state: REGISTRATION.accepted }),
    up: (sn) => news.push(`up ${sn}`),
    down: (sn, reason) => news.push(`down ${sn}: ${reason}`),
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

async function device(index = 1, serve?: Serve): Promise<LinkDevice> {
  const one = await dial(port, helloOf(index), serve)
  await until(() => links.online(helloOf(index).sn), 'it is online')
  return one
}

/** A device in a process of its own. */
async function process(index = 1): Promise<ChildProcess> {
  const program = `${import.meta.dirname}/../../kit/link-device-process.ts`
  const child = spawn(globalThis.process.execPath, [program, String(port), JSON.stringify(helloOf(index))], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  children.push(child)
  await until(() => links.online(helloOf(index).sn), 'it is online')
  return child
}

const refusedWith = (code: number) => (error: unknown) => error instanceof LinkError && error.code === code

test('a call reaches the device as it was made, and its answer comes back as it was given', async () => {
  const { calls } = await device(1, ({ path }, stream) => {
    stream.respond({ ':status': 418, 'x-model': 'AIO' })
    stream.end(`you asked ${path}`)
  })
  const call = { method: 'POST', path: '/usapi?method=set-name&name=%20x', headers: { 'x-a': 'b' }, body: '{"a":"é"}' }
  const answer = await links.request(sn, call, 1000)
  assert.deepEqual(calls, [{ method: 'POST', path: call.path, body: call.body }])
  assert.deepEqual([answer.status, answer.headers['x-model']], [418, 'AIO'])
  assert.equal(answer.body.toString(), `you asked ${call.path}`)
})

test('five hundred calls at once each get their own answer', async () => {
  await device(1, async ({ path }) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 20))
    return { path }
  })
  const paths = Array.from({ length: 500 }, (_, index) => `/usapi?method=ping&n=${index}`)
  const answers = await Promise.all(paths.map((path) => links.request(sn, { method: 'GET', path }, 5000)))
  assert.deepEqual(
    answers.map(({ body }) => JSON.parse(body.toString()).path),
    paths
  )
})

test('a large answer is read whole up to the limit; one byte more is no answer, and ends the transfer', async () => {
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
  assert.ok(links.online(sn))
})

test('without a limit of its own a call takes 8 MiB at most', async () => {
  let sent = 0
  await device(1, (_call, stream) => {
    stream.respond({ ':status': 200 })
    const more = () => {
      do sent++
      while (!stream.destroyed && stream.write(Buffer.alloc(65_536)))
    }
    stream.on('drain', more)
    more()
  })
  await assert.rejects(links.request(sn, { method: 'GET', path: '/' }, 5000), refusedWith(TARGET_TIMEOUT))
  assert.ok(sent > 120, 'it came near the limit')
})

test('a device that does not answer in time is a timeout; the next call goes through', async () => {
  const cancelled: number[] = []
  await device(1, ({ path }, stream) => {
    stream.on('close', () => cancelled.push(stream.rstCode ?? 0))
    if (path === '/slow') return undefined
    if (path !== '/half') return { ok: true }
    stream.respond({ ':status': 200 })
    stream.write('{"result":')
  })
  for (const path of ['/slow', '/half']) {
    const began = performance.now()
    await assert.rejects(links.request(sn, { method: 'GET', path }, 100), refusedWith(TARGET_TIMEOUT))
    assert.ok(performance.now() - began < 1000)
  }
  await until(() => cancelled.length === 2, 'the device hears that nobody waits any more')
  assert.deepEqual(cancelled, [8, 8])
  assert.equal((await links.request(sn, { method: 'GET', path: '/' }, 1000)).status, 200)
})

test('a device that breaks off its answer has not answered', async () => {
  await device(1, ({ path }, stream) => {
    if (path === '/lie') {
      stream.respond({ ':status': 200, 'content-length': 100 })
      return void stream.end('short')
    }
    if (path === '/cut') {
      stream.respond({ ':status': 200 })
      stream.write('{"result":', () => stream.destroy(new Error('cut')))
    } else stream.close(7)
  })
  for (const path of ['/lie', '/cut', '/refused'])
    await assert.rejects(links.request(sn, { method: 'GET', path }, 3000), refusedWith(TARGET_TIMEOUT), path)
  assert.ok(links.online(sn))
})

test('a device that is not there is offline, and so is one that goes during a call', async () => {
  await assert.rejects(links.request(sn, { method: 'GET', path: '/' }, 1000), refusedWith(CLIENT_OFFLINE))
  const leave: ((one: LinkDevice) => void)[] = [
    (one) => one.socket.destroy(),
    (one) => one.socket.end(),
    (one) => one.socket.resetAndDestroy(),
    (one) => one.session.destroy(),
    () => links.drop(sn, 'because')
  ]
  for (const go of leave) {
    const one = await device(1, (_call, stream) => {
      stream.respond({ ':status': 200 })
      stream.write('{"half":')
    })
    const call = links.request(sn, { method: 'GET', path: '/' }, 5000)
    call.catch(() => {})
    await until(() => one.calls.length === 1, 'the call is under way')
    go(one)
    await assert.rejects(call, refusedWith(CLIENT_OFFLINE), String(go))
    await assert.rejects(links.request(sn, { method: 'GET', path: '/' }, 1000), refusedWith(CLIENT_OFFLINE))
  }
})

test('orders go out as the contract has them; a refusal carries the device’s own result', async () => {
  const order: PushOrder = {
    port: 7000,
    'stream-id': 'push/a',
    passphrase: 'p'.repeat(32),
    latency: 120,
    'stream-index': 0
  }
  let answer: unknown = { result: 0 }
  const { calls } = await device(1, ({ path }, stream) => {
    if (path !== '/link/state') return answer
    stream.respond({ ':status': 204 }, { endStream: true })
  })
  await links.order(sn, order)
  await links.endOrder(sn)
  await links.tell(sn, REGISTRATION.accepted)
  assert.deepEqual(
    calls.map(({ method, path, body }) => [method, path, JSON.parse(body)]),
    [
      ['POST', '/link/push', order],
      ['POST', '/link/push-stop', {}],
      ['POST', '/link/state', { state: 101 }]
    ]
  )
  answer = { result: DEVICE_BUSY }
  await assert.rejects(links.order(sn, order), refusedWith(DEVICE_BUSY))
  for (answer of [{}, [], 'no', null, { result: '0' }, { result: 1.5 }])
    await assert.rejects(links.order(sn, order), refusedWith(TARGET_TIMEOUT), JSON.stringify(answer))
  await assert.rejects(links.order('unknown', order), refusedWith(CLIENT_OFFLINE))
  await assert.rejects(links.tell('unknown', 101), refusedWith(CLIENT_OFFLINE))
})

test('a device that goes is down at once, and once', async () => {
  const leave: ((one: LinkDevice) => void)[] = [
    (one) => one.socket.destroy(),
    (one) => one.socket.end(),
    (one) => one.socket.resetAndDestroy(),
    (one) => one.session.close(),
    (one) => one.session.destroy(),
    (one) => one.session.goaway(2),
    (one) => one.socket.write('this is no frame, this is no frame')
  ]
  for (const [index, go] of leave.entries()) {
    const one = await device()
    const began = performance.now()
    go(one)
    await until(() => !links.online(sn), `it is down (${index})`)
    assert.ok(performance.now() - began < 1000)
    one.socket.destroy()
  }
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(links.count, 0)
  assert.deepEqual(
    news.map((line) => line.split(' ')[0]),
    leave.flatMap(() => ['up', 'down'])
  )
})

test('a newer link with the same serial replaces an older one that does not answer any more', async () => {
  const twins: string[] = []
  await open({ hasKey: () => true, twin: (hello) => twins.push(hello.sn), pingTimeout: 20_000 })
  const older = await process(1)
  older.kill('SIGSTOP')
  const newer = await dial(port, helloOf(1), () => 'newer')
  await until(() => news.length === 3, 'the newer one is up')
  assert.deepEqual(news, [`up ${sn}`, `down ${sn}: replaced by a newer link`, `up ${sn}`])
  assert.equal((await links.request(sn, { method: 'GET', path: '/' }, 1000)).body.toString(), '"newer"')
  assert.deepEqual([links.count, twins], [1, []])
  await newer.end()
  await until(() => news.length === 4, 'it is down')
})

test('of two devices with the same serial and key the one that is here stays, and it is told that there are two', async () => {
  const twins: unknown[] = []
  await open({ hasKey: () => true, twin: (hello, address) => twins.push([hello.name, address]) })
  const one = await device(1, () => 'one')
  for (let round = 1; round <= 3; round++) {
    await assert.rejects(dial(port, helloOf(1, { name: 'Copy' })), /refused: 403 .*105/)
    assert.deepEqual(twins.at(-1), ['Copy', '127.0.0.1'])
    assert.equal(twins.length, round)
  }
  assert.deepEqual(news, [`up ${sn}`])
  assert.equal((await links.request(sn, { method: 'GET', path: '/' }, 1000)).body.toString(), '"one"')
  await one.end()
  await until(() => !links.online(sn), 'it is gone')
  await device(1)
})

test('a link that is refused leaves the one with the same serial alone', async () => {
  let refuse = false
  await open({ hello: () => (refuse ? { refuse: 105 } : { state: 101 }) })
  const one = await device()
  refuse = true
  await assert.rejects(dial(port, helloOf(1)), /refused: 403/)
  assert.deepEqual([one.socket.destroyed, links.online(sn), news], [false, true, [`up ${sn}`]])
})

test('a link is dropped with a reason, and dropping one that is not there does nothing', async () => {
  const one = await device()
  await links.drop('unknown', 'because')
  await links.drop(sn, 'because')
  assert.deepEqual(news, [`up ${sn}`, `down ${sn}: because`])
  await one.closed
  assert.equal(links.online(sn), false)
})

test('links live on while nothing is asked, as long as pings are answered', async () => {
  await open({ pingEvery: 10, pingTimeout: 2000 })
  const one = await device()
  let pings = 0
  one.session.on('ping', () => pings++)
  await until(() => pings > 20, 'it was asked often')
  assert.deepEqual(news, [`up ${sn}`])
})

test('a device process that stands still is found within 5 s at the defaults', async () => {
  const child = await process()
  const began = performance.now()
  child.kill('SIGSTOP')
  const call = links.request(sn, { method: 'GET', path: '/' }, 10_000)
  await assert.rejects(call, refusedWith(CLIENT_OFFLINE))
  assert.ok(performance.now() - began < 5000)
  assert.deepEqual(news, [`up ${sn}`, `down ${sn}: no answer for 2.5 s`])
  child.kill('SIGCONT')
  await once(child, 'exit')
})

test('a killed device process is down at once', async () => {
  const child = await process()
  const began = performance.now()
  child.kill('SIGKILL')
  await until(() => !links.online(sn), 'it is down')
  assert.ok(performance.now() - began < 1000)
})

test('a peer that stops reading is found, even while the hub is sending to it', async () => {
  await open({ pingEvery: 50, pingTimeout: 400 })
  const opened = await knock(port, { header: helloHeader(helloOf(1)) })
  assert.ok('socket' in opened)
  // An empty SETTINGS frame is all it takes to pass for a device.
  opened.socket.pause().write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]))
  await until(() => links.online(sn), 'it is online')
  const call = links.request(sn, { method: 'POST', path: '/', body: Buffer.alloc(1 << 20) }, 10_000)
  await assert.rejects(call, refusedWith(CLIENT_OFFLINE))
  assert.deepEqual(news, [`up ${sn}`, `down ${sn}: no answer for 0.4 s`])
  opened.socket.destroy()
})

test('a hub that stood still itself does not blame the devices', async () => {
  await open({ pingEvery: 10, pingTimeout: 150 })
  const one = await device()
  let stops = 0
  // The ping has arrived, and its answer is back before the hub looks again: after its time is over.
  one.session.on('ping', () => {
    if (++stops <= 3) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250)
  })
  await until(() => stops > 5 || news.length > 1, 'it was asked again')
  assert.deepEqual(news, [`up ${sn}`])
})

test('what the hub makes of the news does not harm the link', async () => {
  const errors = console.error
  let heard = 0
  console.error = () => heard++
  try {
    const fail = () => {
      throw new Error('disk full')
    }
    await open({ up: fail, down: fail })
    const one = await device()
    assert.equal((await links.request(sn, { method: 'GET', path: '/' }, 1000)).status, 200)
    await one.end()
    await until(() => heard === 2, 'both are reported')
    assert.equal(links.count, 0)
  } finally {
    console.error = errors
  }
})

test('two hundred devices dial in at once, answer, and go', async () => {
  await open({ halfOpenPerAddress: 1000 })
  const indices = Array.from({ length: 200 }, (_, index) => index)
  const all = await Promise.all(indices.map((index) => dial(port, helloOf(index), () => index)))
  await until(() => links.count === 200, 'all are up')
  const answers = await Promise.all(
    indices.map((index) => links.request(helloOf(index).sn, { method: 'GET', path: '/' }, 5000))
  )
  assert.deepEqual(
    answers.map(({ body }) => Number(body)),
    indices
  )
  for (const one of all) one.socket.destroy()
  await until(() => links.count === 0, 'all are down')
  assert.equal(news.length, 400)
})

test.run()
