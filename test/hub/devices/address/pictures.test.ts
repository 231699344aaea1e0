import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { suite } from 'uvu'
import { LinkError } from '../../../../device-link/link-error.ts'
import type { DeviceResponse } from '../../../../device-link/request.ts'
import { AddressedPictures, createSnapshotFetcher } from '../../../../hub/devices/address/pictures.ts'

const test = suite('pictures of devices at addresses')
// The pace depends on how long a response takes, which is no time here.
test.before.each(() => {
  mock.timers.enable({ apis: ['setTimeout'] })
  mock.method(performance, 'now', () => 0)
})
test.after.each(() => {
  mock.timers.reset()
  mock.restoreAll()
})

const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 1])
const SN = 'B313210600123'

/** Pictures of one device, and the number of its requests. */
function createPictures(respond: () => Promise<Partial<DeviceResponse>>) {
  const requests: string[] = []
  const fetchSnapshot = createSnapshotFetcher({
    async request(_sn, { path }) {
      requests.push(path)
      return { status: 200, headers: {}, body: JPEG, ...(await respond()) }
    },
    snapshotPath: () => '/snapshot/input.jpg'
  })
  const faults: (string | undefined)[] = []
  const pictures = new AddressedPictures(fetchSnapshot, () => faults.push(pictures.faultOf(SN)))
  const received: Uint8Array[] = []
  const subscribe = () => pictures.subscribe(SN, (jpeg) => received.push(jpeg))
  return { requests, received, faults, subscribe }
}

/** Lets timers and the promises behind them run. */
async function pass(milliseconds: number): Promise<void> {
  mock.timers.tick(milliseconds)
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}

test('all who look share one request every two seconds, and nobody is asked when nobody looks', async () => {
  const { requests, received, subscribe } = createPictures(async () => ({}))
  const [first, second] = [subscribe(), subscribe()]
  await pass(0)
  assert.deepEqual([requests, received.length], [['/snapshot/input.jpg'], 2])
  await pass(1900)
  assert.equal(requests.length, 1)
  await pass(200)
  assert.deepEqual([requests.length, received.length], [2, 4])
  first()
  await pass(2100)
  assert.deepEqual([requests.length, received.length], [3, 5])
  second()
  await pass(60_000)
  assert.equal(requests.length, 3)
  subscribe()()
})

test('what is no current picture is not shown, and the device is asked less often', async () => {
  const date = 'Sun, 29 Nov 2026 12:00:30 GMT'
  for (const [response, fault] of [
    [{ status: 404, body: Buffer.from('<html>Not found</html>') }, 'none'],
    [{ body: Buffer.from('{"result":-17}') }, 'none'],
    [{ headers: { date, 'last-modified': 'Sun, 29 Nov 2026 12:00:00 GMT' } }, 'outdated']
  ] as const) {
    const { requests, received, faults, subscribe } = createPictures(async () => response)
    const unsubscribe = subscribe()
    await pass(0)
    await pass(3900)
    assert.equal(requests.length, 1)
    await pass(200)
    assert.equal(requests.length, 2)
    assert.deepEqual([received, faults], [[], [fault]])
    unsubscribe()
  }
  const current = createPictures(async () => ({ headers: { date, 'last-modified': 'Sun, 29 Nov 2026 12:00:29 GMT' } }))
  const unsubscribe = current.subscribe()
  await pass(0)
  assert.equal(current.received.length, 1)
  unsubscribe()
})

test('the pace of a device that does not respond falls to one request in 30 s', async () => {
  let isSilent = true
  const { requests, faults, subscribe } = createPictures(async () => {
    if (!isSilent) return {}
    throw new LinkError(10_004, 'no response')
  })
  const unsubscribe = subscribe()
  for (let second = 0; second < 100; second++) await pass(1000)
  const count = requests.length
  await pass(29_900)
  await pass(200)
  assert.equal(requests.length, count + 1)
  isSilent = false
  await pass(30_100)
  assert.deepEqual(faults, ['silent', undefined])
  unsubscribe()
})

test.run()
