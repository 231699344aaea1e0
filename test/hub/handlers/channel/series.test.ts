import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { CHANNEL_VIEW, DEVICE_VIEW } from '../../../../contract/access/permissions.ts'
import { INVALID_ARG, NOT_EXIST, NOT_PERMITTED } from '../../../../contract/codes.ts'
import { addChannel, deleteChannels, enableChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { channelSeries, exportChannelSeries, SERIES_SPAN } from '../../../../contract/stream/channel-series.ts'
import { addInput } from '../../../../contract/stream/source.ts'
import { deleteTrash, listTrash, restoreTrash } from '../../../../contract/trash.ts'
import { HISTORY_FOLDER } from '../../../../hub/data-folder/entries.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach, replaceHub } from '../../../kit/hub/hub-for-each.ts'
import { CARRYING_LEG, setObservedChannel } from '../../../kit/hub/observed-channel.ts'
import { until } from '../../../kit/until.ts'

const test = suite('time series of a channel')

let id: number

hubForEach(test)
test.before.each(async () => {
  id = (await admin.send(addChannel, { name: 'Hall' })).id
})

const total = (column: readonly (number | null)[] = []) => column.reduce<number>((sum, value) => sum + (value ?? 0), 0)

/** Starts the channel, as if its input and an output carried media, and waits for recorded seconds on air. */
async function recordOnAir(): Promise<void> {
  const config = { type: 1 as const, url: 'udp://127.0.0.1:9001' }
  const { id: input } = await admin.send(addInput, { name: 'In', config })
  await admin.send(setChannelInput, { id, input })
  await admin.send(enableChannel, { id, enable: true })
  const onAir = { inputId: input, slate: false, reason: 'on-air-first' } as const
  setObservedChannel(hub, id, CARRYING_LEG, { 1001: { ...CARRYING_LEG, clientNum: 2 } }, { onAir })
  await until(async () => total((await admin.send(channelSeries, { id })).columns['on-air']) >= 3, 'seconds on air')
}

test('the bit rates, viewers and states of the last seconds are available as columns and as a file', async () => {
  await recordOnAir()
  const { start, step, columns, pause } = await admin.send(channelSeries, { id, span: 3600, points: 2 })
  assert.deepEqual([start % step, step % 10_000, pause], [0, 0, undefined])
  const last = (columns['kbps-in'] ?? []).findIndex((value) => value !== null)
  const lastOf = (field: keyof typeof columns) => columns[field]?.[last]
  assert.deepEqual(
    [lastOf('kbps-in-max'), lastOf('kbps-out-max'), lastOf('viewers'), columns.lost],
    [4200, 4200, 2, undefined]
  )
  assert.equal(total(columns['kbps-in-min']) <= 4200, true)
  const response = await admin.raw('GET', `/api${exportChannelSeries.path}?id=${id}&span=600`)
  assert.match(response.headers.get('content-disposition') ?? '', /filename="channel-\d+-history-\d{4}-\d\d-\d\d\.csv"/)
  const [heading = '', row = ''] = (await response.text()).split('\r\n')
  assert.match(heading, /^time,input \(kbps\),/)
  assert.match(row, /^\d{4}-\d\d-\d\dT[\d:.]+Z,/)
})

test('a stopped channel has a state, but no bit rate', async () => {
  await until(async () => total((await admin.send(channelSeries, { id })).columns.stopped) >= 2, 'seconds stopped')
  const { columns } = await admin.send(channelSeries, { id })
  assert.deepEqual([columns['kbps-in'], columns['kbps-out'], total(columns['on-air'])], [undefined, undefined, 0])
})

test('the history stays over a restart of the hub and in the trash, and is removed with the channel for good', async () => {
  const data = mkdtempSync(join(tmpdir(), 'series-'))
  try {
    await replaceHub({ data })
    id = (await admin.send(addChannel, { name: 'Hall' })).id
    const observed = async () => total((await admin.send(channelSeries, { id })).columns.observed)
    await until(async () => (await observed()) >= 2, 'two recorded seconds')
    const before = await observed()
    await replaceHub({ data })
    assert.ok((await observed()) >= before)
    const file = join(data, HISTORY_FOLDER, `${id}.rings`)
    assert.ok(existsSync(file))
    await admin.send(deleteChannels, { id })
    const entryOf = async () => (await admin.send(listTrash, {})).list[0]?.id ?? 0
    await admin.send(restoreTrash, { id: await entryOf() })
    assert.ok((await observed()) >= before)
    await admin.send(deleteChannels, { id })
    await admin.send(deleteTrash, { id: await entryOf() })
    assert.ok(existsSync(file))
    // The files of an hour's samples are looked through once.
    for (let n = 0; n < 3600; n++) hub.parts.histories.sampleAll()
    await until(() => !existsSync(file), 'the file is removed')
  } finally {
    // The hub of the test is closed before its folder is removed.
    await replaceHub({})
    rmSync(data, { recursive: true, force: true })
  }
})

test('while the engine is away nothing is recorded', async () => {
  await recordOnAir()
  hub.parts.engine.isAway = () => true
  const recorded = async () => total((await admin.send(channelSeries, { id })).columns.observed)
  const before = await recorded()
  for (let n = 0; n < 3; n++) hub.parts.histories.sampleAll()
  assert.equal(await recorded(), before)
})

test('a response has at most as many points as requested', async () => {
  for (const points of [1, 7, 500, 2000])
    for (const span of [60, 3600, 86_400, SERIES_SPAN.max]) {
      const to = 1_800_000_123_456
      const { columns, start, step } = await admin.send(channelSeries, { id, to, span, points })
      const count = Math.ceil((to - start) / step)
      assert.ok(count <= points, `${count} of ${points} points for ${span} s`)
      assert.deepEqual(columns, {})
    }
})

test('unknown channels and impossible periods are refused', async () => {
  assert.equal((await admin.send(channelSeries, { id: 9 })).result, NOT_EXIST)
  for (const period of [
    { from: 2000, to: 2000 },
    { from: 2000, to: 1000 },
    { from: 0, to: SERIES_SPAN.max * 1000 + 1 },
    { points: 0 },
    { points: 2001 },
    { span: 59 }
  ])
    assert.equal((await admin.send(channelSeries, { id, ...period })).result, INVALID_ARG, JSON.stringify(period))
})

test('who sees the channel sees its history, and nobody that of a deleted one', async () => {
  const viewer = await addUser(hub, 'vera', CHANNEL_VIEW)
  assert.equal((await viewer.send(channelSeries, { id })).result, 0)
  const other = await addUser(hub, 'olaf', DEVICE_VIEW)
  assert.equal((await other.send(channelSeries, { id })).result, NOT_PERMITTED)
  await admin.send(deleteChannels, { id })
  assert.equal((await viewer.send(channelSeries, { id })).result, NOT_EXIST)
})

test.run()
