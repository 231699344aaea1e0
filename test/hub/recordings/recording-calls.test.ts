// Recordings over the API: a real stream is recorded, listed, downloaded and deleted.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { CHANNEL_CONTROL, CHANNEL_VIEW } from '../../../contract/access/permissions.ts'
import {
  INVALID_ARG,
  NOT_EXIST,
  NOT_PERMITTED,
  SUCCESS,
  TOO_MANY,
  UNSUPPORTED,
  WRONG_STATE
} from '../../../contract/codes.ts'
import {
  deleteRecordings,
  listRecordings,
  listSegments,
  startRecording,
  stopRecording
} from '../../../contract/recording/recording.ts'
import { addShare, deleteShare, listShares, SHARE_DOWNLOADS_MAX } from '../../../contract/recording/share.ts'
import {
  addChannel,
  enableChannel,
  queryChannel,
  setChannel,
  setChannelInput
} from '../../../contract/stream/channel.ts'
import { setChannelSecurity } from '../../../contract/stream/channel-security.ts'
import { addInput } from '../../../contract/stream/source.ts'
import { sendClip, setUpMedia } from '../../kit/engine/media.ts'
import { addSignedInUser, type Client, startHub, type TestHub } from '../../kit/hub/hub.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('calls of recordings')

let hub: TestHub
let admin: Client
let data = ''
let channel = 0

setUpMedia(test)

test.before.each(async () => {
  data = mkdtempSync(join(tmpdir(), 'headend-recordings-'))
  await start()
  const port = await freeUdpPort()
  const input = await admin.send(addInput, { name: 'Feed', config: { type: 1, url: `udp://127.0.0.1:${port}` } })
  channel = (await admin.send(addChannel, { name: 'Hall' })).id
  await admin.send(setChannelInput, { id: channel, input: input.id })
  await admin.send(enableChannel, { id: channel, enable: true })
  sendClip('mpegts', `udp://127.0.0.1:${port}?pkt_size=1316`)
})

test.after.each(async () => {
  await hub.close()
  rmSync(data, { recursive: true, force: true })
})

async function start(): Promise<void> {
  hub = await startHub({ data })
  admin = hub.clientAs()
}

/** The state of the recording in the channel. */
const state = async () => (await admin.send(queryChannel, { id: channel })).channel.recording

const hasRecorded = (bytes: number) =>
  until(async () => ((await state())?.bytes ?? 0) > bytes, `${bytes} bytes are not recorded`)

const recordings = async (client = admin) => (await client.send(listRecordings, {})).list

/** Names of all files of recordings. */
const files = () => readdirSync(join(data, 'recordings'), { recursive: true, encoding: 'utf8' })

async function record(): Promise<number> {
  const { id } = await admin.send(startRecording, { channel })
  await hasRecorded(20_000)
  await admin.send(stopRecording, { channel })
  await until(async () => (await recordings()).some((each) => each.id === id && each.segments > 0), 'no segment')
  return id
}

test('a channel is recorded, and the recording is downloaded and deleted', async () => {
  const id = await record()
  assert.equal(await state(), undefined)
  const [recording] = await recordings()
  assert.equal(recording?.['channel-name'], 'Hall')
  assert.equal(recording?.user, 'Admin')
  assert.equal(recording?.running, false)
  const { list } = await admin.send(listSegments, { id })
  assert.equal(list.length, recording?.segments)
  const metrics = await (await admin.raw('GET', '/metrics')).text()
  assert.ok(metrics.includes(`headend_recording_bytes{channel="${channel}",name="Hall"} ${recording?.bytes}`))

  const file = await admin.raw('GET', `/api/recording/get?id=${id}`)
  const bytes = Buffer.from(await file.arrayBuffer())
  assert.equal(bytes.length, recording?.bytes)
  const { stdout } = spawnSync('ffprobe', ['-v', 'error', '-show_entries', 'stream=codec_name', '-'], {
    input: bytes,
    encoding: 'utf8'
  })
  assert.match(stdout, /h264[\s\S]*aac/)
  const part = await admin.raw('GET', `/api/recording/get?id=${id}`, { headers: { range: 'bytes=188-375' } })
  assert.equal(part.status, 206)
  assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(188, 376))

  assert.equal((await admin.send(deleteRecordings, { id })).result, SUCCESS)
  await hub.parts.recordings.whenIdle()
  assert.deepEqual(files(), [])
  assert.deepEqual(await recordings(), [])
})

test('a period without a segment, and an id that does not exist, are not found', async () => {
  const id = await record()
  for (const query of [`id=${id}&to=1`, `id=${id + 1}`]) {
    const response = await admin.raw('GET', `/api/recording/get?${query}`)
    assert.equal((await response.json()).result, NOT_EXIST, query)
  }
})

test('no request reaches a file beside the recordings', async () => {
  for (const id of ['../../headend.sqlite', '..%2F..%2Fheadend.sqlite', '-1', '1e400', '']) {
    const response = await admin.raw('GET', `/api/recording/get?id=${id}`)
    assert.notEqual((await response.json()).result, SUCCESS, id)
  }
})

test('a recording goes on after a restart of the hub', async () => {
  const { id } = await admin.send(startRecording, { channel })
  await hasRecorded(1)
  assert.equal((await state())?.fault, undefined)
  await admin.send(enableChannel, { id: channel, enable: false })
  await until(async () => (await state())?.fault === 'no data', 'the recording of a stopped channel does not wait')
  await admin.send(enableChannel, { id: channel, enable: true })
  assert.equal((await admin.send(startRecording, { channel })).id, id, 'it is being recorded already')
  assert.equal((await admin.send(deleteRecordings, { id })).result, WRONG_STATE)
  await hub.close()
  await start()
  await hasRecorded(1)
  assert.equal((await state())?.id, id)
  await until(async () => ((await recordings())[0]?.segments ?? 0) > 0, 'the segment before the restart is not listed')
  assert.equal((await admin.send(stopRecording, { channel })).id, id)
  assert.equal((await admin.send(stopRecording, { channel })).result, WRONG_STATE)
})

test('a recording follows the access of its channel', async () => {
  const id = await record()
  const viewer = addSignedInUser(hub, 'viewer', CHANNEL_VIEW)
  assert.deepEqual(
    (await recordings(viewer)).map((each) => each.id),
    [id]
  )
  assert.equal((await viewer.raw('GET', `/api/recording/get?id=${id}`)).headers.get('content-type'), 'video/mp2t')
  await admin.send(setChannelSecurity, { id: channel, security: { 'is-inherit': 0, 'group-mask': 2, 'usr-mask': 0 } })
  assert.deepEqual(await recordings(viewer), [])
  await admin.send(addShare, { id })
  const unseen = await viewer.send(listSegments, { id })
  assert.deepEqual([unseen.result, unseen.by], [NOT_EXIST, undefined], 'nor who has shared it')
  const refused = await viewer.raw('GET', `/api/recording/get?id=${id}`)
  assert.equal((await refused.json()).result, NOT_EXIST)
})

test('a link gives everybody the file until it is revoked, and the database does not have its token', async () => {
  const id = await record()
  const { url = '', id: share } = await admin.send(addShare, { id, hours: 1 })
  const stranger = hub.client('192.0.2.9')
  const file = await stranger.raw('GET', url)
  const [recording] = await recordings()
  assert.equal((await file.arrayBuffer()).byteLength, recording?.bytes)
  const token = new URL(url, 'http://hub').searchParams.get('token') ?? ''
  assert.equal(token.length, 43)
  const rows = hub.parts.store.recordingShares.all()
  assert.ok(!JSON.stringify(rows).includes(token))
  assert.equal((await (await stranger.raw('GET', `${url}x`)).json()).result, NOT_EXIST)
  const { list } = await admin.send(listShares, {})
  assert.deepEqual([list[0]?.id, list[0]?.recording, list[0]?.user], [share, id, 'Admin'])
  assert.equal((await admin.send(deleteShare, { id: share })).result, SUCCESS)
  assert.equal((await (await stranger.raw('GET', url)).json()).result, NOT_EXIST)
})

test('a link whose period ends before it begins is refused', async () => {
  const id = await record()
  const { result, field, fault } = await admin.send(addShare, { id, from: 2000, to: 1000 })
  assert.deepEqual({ result, field, fault }, { result: INVALID_ARG, field: 'to', fault: 'order' })
})

test('a channel that is always recorded is not stopped by hand, and the response says what to do', async () => {
  const recording = { mode: 'always', 'keep-days': 0, 'keep-gb': 0, 'when-full': 'delete' } as const
  await admin.send(setChannel, { id: channel, name: 'Hall', config: { recording } })
  const { result, message } = await admin.send(stopRecording, { channel })
  assert.deepEqual([result, message], [WRONG_STATE, 'The channel is always recorded. Change when it is recorded.'])
})

test('a link ends at its time, and with its recording', async () => {
  const id = await record()
  const shared = async () => (await admin.send(addShare, { id, hours: 1 })).url
  const result = async (url: string) => (await (await hub.client().raw('GET', url)).json()).result
  const expired = await shared()
  hub.parts.store.database.run('UPDATE recording_share SET expires = ?', Date.now() - 1)
  assert.equal(await result(expired), NOT_EXIST)
  assert.deepEqual((await admin.send(listShares, {})).list, [])
  const orphaned = await shared()
  await admin.send(deleteRecordings, { id })
  assert.equal(await result(orphaned), NOT_EXIST)
})

test('four downloads run with one link, and end when it is revoked', async () => {
  const id = await record()
  const { url, id: share } = await admin.send(addShare, { id })
  const readers: (ReadableStreamDefaultReader | undefined)[] = []
  for (let count = 0; count < SHARE_DOWNLOADS_MAX; count++)
    readers.push((await hub.client().raw('GET', url)).body?.getReader())
  assert.equal((await (await hub.client().raw('GET', url)).json()).result, TOO_MANY)
  await admin.send(deleteShare, { id: share })
  const readAll = async () => {
    while (!(await readers[0]?.read())?.done);
  }
  await assert.rejects(readAll(), /ended/)
})

test('only who may control channels records, and only who may edit them deletes', async () => {
  const id = await record()
  const viewer = addSignedInUser(hub, 'viewer', CHANNEL_VIEW)
  const operator = addSignedInUser(hub, 'operator', CHANNEL_VIEW | CHANNEL_CONTROL)
  assert.equal((await viewer.send(startRecording, { channel })).result, NOT_PERMITTED)
  assert.equal((await operator.send(startRecording, { channel })).result, SUCCESS)
  assert.equal((await operator.send(stopRecording, { channel })).result, SUCCESS)
  assert.equal((await operator.send(deleteRecordings, { id })).result, NOT_PERMITTED)
})

test('a hub that keeps its data in memory cannot record', async () => {
  await hub.close()
  hub = await startHub()
  const client = hub.clientAs()
  const { id } = await client.send(addChannel, { name: 'Hall' })
  assert.equal((await client.send(startRecording, { channel: id })).result, UNSUPPORTED)
  assert.equal(existsSync('recordings'), false)
})

test.run()
