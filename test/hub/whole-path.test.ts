// From a device that dials in to its picture in the console, over real sockets on both sides.
import assert from 'node:assert/strict'
import type { ServerHttp2Stream } from 'node:http2'
import { suite } from 'uvu'
import type { Call } from '../../contract/call.ts'
import { CLIENT_OFFLINE, SUCCESS } from '../../contract/codes.ts'
import { acceptDevices, listDevices, queryDevice, REGISTRATION } from '../../contract/device/device.ts'
import { clearPreview, setupPreview } from '../../contract/preview.ts'
import { login } from '../../contract/session.ts'
import { systemStatus } from '../../contract/system.ts'
import { PartBuffer } from '../../src/preview/buffer.ts'
import { readStreamHead } from '../../src/preview/headers.ts'
import { readParts } from '../../src/preview/read.ts'
import { helloOf } from '../kit/device.ts'
import { md5, startHub, type TestHub } from '../kit/hub.ts'
import { type DeviceCall, dial, type LinkDevice } from '../kit/link-device.ts'
import { type Listener, listenAt } from '../kit/listener.ts'
import { until } from '../kit/until.ts'

const test = suite('whole path')
const { sn } = helloOf(1)
let hub: TestHub
let origin: string
let ports: { port: number; linkPort: number }
let cookie: string
let feed: Listener | undefined
let device: LinkDevice | undefined
test.before.each(async () => {
  hub = await startHub()
  ports = await hub.listen(0, 0)
  origin = `http://127.0.0.1:${ports.port}`
  cookie = ''
})
test.after.each(async () => {
  feed?.socket.terminate()
  await device?.end()
  await hub.close()
})

/** Makes a call as the browser does. */
async function send<Request extends object, Reply>(call: Call<Request, Reply>, request: Request) {
  const get = call.method === 'GET'
  const query = get ? `?${new URLSearchParams(request as Record<string, string>)}` : ''
  const response = await fetch(`${origin}/api${call.path}${query}`, {
    method: call.method,
    headers: { cookie, origin, 'content-type': 'application/json;charset=utf-8' },
    ...(!get && { body: JSON.stringify(request) })
  })
  const set = response.headers.getSetCookie().map((line) => line.split(';')[0])
  if (set.length > 0) cookie = set.join('; ')
  return (await response.json()) as Reply & { result: number }
}

async function relay(query: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${origin}/socket/usapi?${query}&sc-client-id=${sn}`, { headers: { cookie, origin } })
  return (await response.json()) as Record<string, unknown>
}

/** An Ultra Encode with a picture that tells its number. */
function appliance() {
  let name = 'Hall 1'
  let pictures = 0
  let asked = 0
  return {
    /** How many times its pictures were asked for. */
    asked: () => asked,
    serve({ path }: DeviceCall, stream: ServerHttp2Stream): unknown {
      const url = new URL(path, 'http://device')
      if (url.pathname === '/link/state') return {}
      if (url.pathname === '/link/preview') {
        asked++
        stream.respond({ ':status': 200 })
        const send = () => {
          const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.from(`picture ${pictures++}`.repeat(500))])
          const length = Buffer.alloc(4)
          length.writeUInt32BE(jpeg.length)
          stream.write(Buffer.concat([length, jpeg]))
        }
        const timer = setInterval(send, 20)
        stream.on('close', () => clearInterval(timer))
        return undefined
      }
      const method = url.searchParams.get('method')
      if (method === 'set-name') name = url.searchParams.get('name') ?? ''
      return { result: 0, name, method }
    }
  }
}

/** Opens the pictures, as the console's own code reads them. */
async function openPictures() {
  const response = await fetch(`${origin}/api/preview/open`, { headers: { cookie } })
  const head = readStreamHead(response.headers)
  assert.ok(head && response.body)
  const shown: { id: string; text: string }[] = []
  const over = readParts(
    response.body as ReadableStream<Uint8Array<ArrayBuffer>>,
    head.boundary,
    new PartBuffer(),
    ({ id, bytes }) => shown.push({ id, text: Buffer.from(bytes).toString('latin1') }),
    new AbortController().signal
  )
  return { handle: head.handle, shown, over }
}

test('a device registers, is accepted, shows its picture, takes calls, goes and comes back', async () => {
  const box = appliance()
  const serve = (call: DeviceCall, stream: ServerHttp2Stream) => box.serve(call, stream)
  assert.equal((await send(login, { id: 'Admin', pass: md5('Admin') })).result, SUCCESS)
  feed = await listenAt(ports.port, { cookie, origin })
  feed.wish('device')
  /** Does `work` and waits for the feed to say that devices changed. */
  const news = async (work: () => unknown, what: string) => {
    const before = hub.hub.store.changes.revs().device
    await work()
    await feed?.hear((heard) => heard.some(({ changed }) => (changed?.device ?? 0) > before) || undefined, what)
  }

  // It registers.
  await news(async () => {
    device = await dial(ports.linkPort, helloOf(1), serve)
  }, 'a device waits')
  assert.equal(device?.state, REGISTRATION.pending)
  const waiting = await send(listDevices, { 'reg-state': 'waiting' })
  assert.deepEqual(
    waiting.list.map((one) => [one.sn, one.name, one['preview-id']]),
    [[sn, 'Hall 1', undefined]]
  )

  // It is accepted, and told so.
  await news(() => send(acceptDevices, { sn: [sn] }), 'it is accepted')
  await until(() => device?.calls.some(({ path }) => path === '/link/state') ?? false, 'the device is told')
  const told = device?.calls.find(({ path }) => path === '/link/state')
  assert.deepEqual(JSON.parse(told?.body ?? ''), { state: REGISTRATION.accepted })
  const { dev } = await send(queryDevice, { sn })
  assert.ok(Date.now() - dev['online-date'] < 30_000)

  // Its picture moves in the console.
  const pictures = await openPictures()
  const id = `DEV-${sn}`
  assert.equal(dev['preview-id'], id)
  assert.equal((await send(setupPreview, { id: pictures.handle, add: [id] })).result, SUCCESS)
  await until(() => pictures.shown.length >= 5, 'five pictures came')
  assert.deepEqual([...new Set(pictures.shown.map((part) => part.id))], [id])
  assert.equal(new Set(pictures.shown.map(({ text }) => text)).size, pictures.shown.length, 'each is another')
  for (const { text } of pictures.shown) assert.match(text, /^\xff\xd8(picture \d+)\1{499}$/)

  // It takes calls.
  assert.deepEqual(await relay('method=set-name&name=Main+Hall'), { result: 0, name: 'Main Hall', method: 'set-name' })
  assert.equal((await relay('method=get-info')).name, 'Main Hall')

  // It goes: the list says so, and since when.
  await news(() => device?.end(), 'it is gone')
  const [gone] = (await send(listDevices, {})).list
  assert.equal(gone?.['online-date'], 0)
  assert.ok(Date.now() - (gone?.['offline-date'] ?? 0) < 10_000)
  assert.equal((await relay('method=get-info')).result, CLIENT_OFFLINE)
  assert.deepEqual((await send(systemStatus, {})).status.system.device['num-online'], 0)

  // It comes back by itself, accepted as it was, and its picture moves on in the same stream.
  await news(async () => {
    device = await dial(ports.linkPort, helloOf(1), serve)
  }, 'it is back')
  assert.equal(device?.state, REGISTRATION.accepted)
  const before = pictures.shown.length
  await until(() => pictures.shown.length >= before + 3, 'its picture moves on', 10_000)
  assert.equal(box.asked(), 2)
  assert.equal((await relay('method=get-info')).result, 0)

  // Nobody looks: nothing is sent.
  assert.equal((await send(clearPreview, { id: pictures.handle })).result, SUCCESS)
  assert.equal(await pictures.over, 'ended')
})

test.run()
