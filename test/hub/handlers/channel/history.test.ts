import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW } from '../../../../contract/access/permissions.ts'
import { INVALID_ARG, NOT_EXIST, NOT_PERMITTED, SUCCESS } from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import {
  addChannel,
  addChannelOutputs,
  enableChannel,
  queryChannel,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import { channelHistory, exportChannelHistory, setBaseline } from '../../../../contract/stream/channel-history.ts'
import { SRT } from '../../../../contract/stream/protocols.ts'
import { addInput, addOutput } from '../../../../contract/stream/source.ts'
import { sendClip, setUpMedia } from '../../../kit/engine/media.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { freeUdpPort } from '../../../kit/net/free-port.ts'
import { until } from '../../../kit/until.ts'

const test = suite('channel history')

let id: number
let output: number

setUpMedia(test)
hubForEach(test)
test.before.each(async () => {
  id = (await admin.send(addChannel, { name: 'Hall' })).id
  const config = { mode: 'listener' as const, 'bind-port': await freeUdpPort() }
  const addedOutput = await admin.send(addOutput, { name: 'Screen', protocol: SRT, config })
  assert.equal(addedOutput.result, SUCCESS)
  output = addedOutput.id
  await admin.send(addChannelOutputs, { id, outputs: [output] })
})

/** The rows of a CSV file, split into cells. */
async function file(leg?: number): Promise<{ name: string; rows: string[][] }> {
  const response = await admin.raw('GET', `/api${exportChannelHistory.path}?id=${id}${leg ? `&leg=${leg}` : ''}`)
  assert.equal(response.headers.get('content-type'), 'text/csv;charset=utf-8')
  const lines = (await response.text()).trimEnd().split('\r\n')
  return { name: response.headers.get('content-disposition') ?? '', rows: lines.map((line) => line.split(',')) }
}

/** Sends the clip to the channel over UDP while `work` runs. */
async function withRunningChannel(work: () => Promise<void>): Promise<void> {
  const port = await freeUdpPort()
  const url = `udp://127.0.0.1:${port}`
  const { id: input } = await admin.send(addInput, { name: 'In', config: { type: 1, url } })
  await admin.send(setChannelInput, { id, input })
  await admin.send(enableChannel, { id, enable: true })
  const sender = sendClip('mpegts', `${url}?pkt_size=1316`)
  try {
    await work()
  } finally {
    await sender.kill()
  }
}

const bytes = async () => (await admin.send(queryChannel, { id })).channel.input?.report?.bytes ?? 0

test('the statistics of a leg are available as report, columns and file, and a baseline restarts the counters', async () => {
  await withRunningChannel(async () => {
    await until(() => {
      const history = hub.engine.legStats(id)?.history({ span: 60, fields: ['kbps'] }, performance.now())
      return (history?.columns.kbps ?? []).filter((value) => value !== null && value > 100).length >= 3
    }, 'three seconds were measured')
    const { channel } = await admin.send(queryChannel, { id })
    const report = channel.input?.report
    assert.equal(report?.kbps, channel.input?.kbps)
    assert.ok((report?.['kbps-avg'] ?? 0) > 100 && (report?.['kbps-peak'] ?? 0) >= (report?.['kbps-avg'] ?? 0))
    assert.equal(channel.outputs.list[0]?.report?.bytes, 0)
    const asked = Date.now()
    const { start, step, columns } = await admin.send(channelHistory, { id, span: 60, fields: 'kbps,rtt-ms' })
    assert.deepEqual(
      [step, columns.kbps?.length, columns['rtt-ms']?.every((value) => value === null)],
      [1000, 60, true]
    )
    const end = start + 60_000
    assert.ok(end > asked - 2500 && end < Date.now() + 2500, `${end - asked} ms`)
    assert.equal((await admin.send(channelHistory, { id, points: 100 })).columns.kbps?.length, 100)

    const { name, rows } = await file()
    assert.match(name, new RegExp(`filename="channel-${id}-input-\\d{4}-\\d\\d-\\d\\d\\.csv"`))
    assert.deepEqual(rows[0]?.slice(0, 2), ['time', 'bit rate (kbps)'])
    assert.ok(rows[0]?.includes('TR 101 290 errors (count)'))
    assert.ok(report?.transport)
    assert.ok(rows.length >= 4)
    for (const row of rows.slice(1)) {
      assert.equal(new Date(row[0] ?? '').toISOString(), row[0])
      assert.match(row.slice(1).join(), /^[\d.,]*$/)
    }
    const before = await bytes()
    assert.equal((await admin.send(setBaseline, { id, leg: 0 })).result, SUCCESS)
    assert.ok((await bytes()) < before)
    assert.ok((await file()).rows.length >= rows.length)
  })
  const { list } = await admin.send(listLog, { type: 'operation', key: 'Reset statistics' })
  assert.deepEqual(
    list.map(({ text }) => text),
    ['Reset statistics of channel: Hall']
  )
})

test('a channel that has never run has an hour of empty history and an empty file', async () => {
  const { columns } = await admin.send(channelHistory, { id, leg: output, span: 60, points: 10 })
  assert.deepEqual(columns, { kbps: Array(10).fill(null) })
  assert.deepEqual((await file(output)).rows, [['time']])
  assert.equal((await admin.send(setBaseline, { id })).result, SUCCESS)
})

test('unknown channels, and legs of other channels, are refused', async () => {
  assert.equal((await admin.send(channelHistory, { id: 9 })).result, NOT_EXIST)
  const { result, field } = (await admin.send(channelHistory, { id, leg: 9 })) as { result: number; field?: string }
  assert.deepEqual([result, field], [NOT_EXIST, 'leg'])
  assert.equal((await admin.send(setBaseline, { id, leg: 9 })).result, NOT_EXIST)
  assert.equal((await admin.send(channelHistory, { id, fields: 'kbps,password' })).result, INVALID_ARG)
  assert.equal((await admin.send(channelHistory, { id, span: 3601 })).result, INVALID_ARG)
})

test('the permission to view channels includes their statistics, but not setting a baseline', async () => {
  const viewer = await addUser(hub, 'vera', CHANNEL_VIEW)
  assert.equal((await viewer.send(channelHistory, { id })).result, SUCCESS)
  assert.equal((await viewer.send(setBaseline, { id })).result, NOT_PERMITTED)
})

test.run()
