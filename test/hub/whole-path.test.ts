// From a device that connects to its preview in the console, over real sockets on both sides.
import assert from 'node:assert/strict'
import type { ServerHttp2Stream } from 'node:http2'
import { suite } from 'uvu'
import { login } from '../../contract/access/session.ts'
import type { Call } from '../../contract/call.ts'
import { CLIENT_OFFLINE, SUCCESS } from '../../contract/codes.ts'
import { acceptDevices, listDevices, queryDevice, REGISTRATION_STATE } from '../../contract/device/device.ts'
import { clearPreview, setupPreview } from '../../contract/preview.ts'
import { systemStatus } from '../../contract/system.ts'
import { PartBuffer } from '../../src/preview/buffer.ts'
import { readStreamHead } from '../../src/preview/headers.ts'
import { readParts } from '../../src/preview/read-parts.ts'
import { connectLinkDevice, type DeviceCall, type LinkDevice } from '../kit/fleet/link-device.ts'
import { type FeedListener, openFeed } from '../kit/hub/feed-listener.ts'
import { md5, startHub, type TestHub } from '../kit/hub/hub.ts'
import { helloOf } from '../kit/hub/register-devices.ts'
import { until } from '../kit/until.ts'

const test = suite('device to console')
const { sn } = helloOf(1)
let hub: TestHub
let origin: string
let ports: { port: number; linkPort: number }
let cookie: string
let feed: FeedListener | undefined
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

/** An Ultra Encode whose preview images are numbered. */
function createAppliance() {
  let name = 'Hall 1'
  let imageCount = 0
  let previewRequests = 0
  return {
    /** Number of preview requests. */
    previewRequests: () => previewRequests,
    serve({ path }: DeviceCall, stream: ServerHttp2Stream): unknown {
      const url = new URL(path, 'http://device')
      if (url.pathname === '/link/state') return {}
      if (url.pathname === '/link/preview') {
        previewRequests++
        stream.respond({ ':status': 200 })
        const send = () => {
          const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.from(`picture ${imageCount++}`.repeat(500))])
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
      return { result: SUCCESS, name, method }
    }
  }
}

/** Opens a preview stream, and parses it with the console's code. */
async function openPreviews() {
  const response = await fetch(`${origin}/api/preview/open`, { headers: { cookie } })
  const head = readStreamHead(response.headers)
  assert.ok(head && response.body)
  const shownImages: { id: string; text: string }[] = []
  const ended = readParts(
    response.body as ReadableStream<Uint8Array<ArrayBuffer>>,
    head.boundary,
    new PartBuffer(),
    ({ id, bytes }) => shownImages.push({ id, text: Buffer.from(bytes).toString('latin1') }),
    new AbortController().signal
  )
  return { handle: head.handle, shown: shownImages, ended }
}

test('a device registers, is accepted, shows its preview, handles calls, disconnects and reconnects', async () => {
  const appliance = createAppliance()
  const serve = (call: DeviceCall, stream: ServerHttp2Stream) => appliance.serve(call, stream)
  assert.equal((await send(login, { id: 'Admin', pass: md5('Admin') })).result, SUCCESS)
  feed = await openFeed(ports.port, { cookie, origin })
  feed.subscribe('device')
  /** Runs an action and waits until the change feed reports a change of devices. */
  const waitForChange = async (action: () => unknown, description: string) => {
    const before = hub.parts.store.changes.revs().device
    await action()
    await feed?.waitFor(
      (messages) => messages.some(({ changed }) => (changed?.device ?? 0) > before) || undefined,
      description
    )
  }

  // It registers.
  await waitForChange(async () => {
    device = await connectLinkDevice(ports.linkPort, helloOf(1), serve)
  }, 'a device waits')
  assert.equal(device?.state, REGISTRATION_STATE.pending)
  const waiting = await send(listDevices, { 'reg-state': 'waiting' })
  assert.deepEqual(
    waiting.list.map((device) => [device.sn, device.name, device['preview-id']]),
    [[sn, 'Hall 1', undefined]]
  )

  // It is accepted, and notified.
  await waitForChange(() => send(acceptDevices, { sn: [sn] }), 'it is accepted')
  await until(() => device?.calls.some(({ path }) => path === '/link/state') ?? false, 'the device is notified')
  const notification = device?.calls.find(({ path }) => path === '/link/state')
  assert.deepEqual(JSON.parse(notification?.body ?? ''), { state: REGISTRATION_STATE.accepted })
  const { dev } = await send(queryDevice, { sn })
  assert.ok(Date.now() - dev['online-date'] < 30_000)

  // The console shows its preview.
  const previews = await openPreviews()
  const id = `DEV-${sn}`
  assert.equal(dev['preview-id'], id)
  assert.equal((await send(setupPreview, { id: previews.handle, add: [id] })).result, SUCCESS)
  await until(() => previews.shown.length >= 5, 'five images arrive')
  assert.deepEqual([...new Set(previews.shown.map((part) => part.id))], [id])
  assert.equal(new Set(previews.shown.map(({ text }) => text)).size, previews.shown.length, 'all images differ')
  for (const { text } of previews.shown) assert.match(text, /^\xff\xd8(picture \d+)\1{499}$/)

  // It handles relayed calls.
  assert.deepEqual(await relay('method=set-name&name=Main+Hall'), {
    result: SUCCESS,
    name: 'Main Hall',
    method: 'set-name'
  })
  assert.equal((await relay('method=get-info')).name, 'Main Hall')

  // It disconnects: the list shows since when.
  await waitForChange(async () => {
    await device?.end()
    await until(() => !hub.parts.registry.isOnline(sn), 'the hub sees that it is offline')
  }, 'it is offline')
  const [offline] = (await send(listDevices, {})).list
  assert.equal(offline?.['online-date'], 0)
  assert.ok(Date.now() - (offline?.['offline-date'] ?? 0) < 10_000)
  assert.equal((await relay('method=get-info')).result, CLIENT_OFFLINE)
  assert.deepEqual((await send(systemStatus, {})).status.system.device['num-online'], 0)

  // It reconnects, is still accepted, and its preview continues in the same stream.
  await waitForChange(async () => {
    device = await connectLinkDevice(ports.linkPort, helloOf(1), serve)
  }, 'the device is online again')
  assert.equal(device?.state, REGISTRATION_STATE.accepted)
  const before = previews.shown.length
  await until(() => previews.shown.length >= before + 3, 'its preview continues')
  assert.equal(appliance.previewRequests(), 2)
  assert.equal((await relay('method=get-info')).result, SUCCESS)

  // The preview stream is closed.
  assert.equal((await send(clearPreview, { id: previews.handle })).result, SUCCESS)
  assert.equal(await previews.ended, 'ended')
})

test.run()
