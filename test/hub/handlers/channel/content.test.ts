// Checks of a channel's content, from the setting to the verdict, the list of problems and their end.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { INVALID_ARG, NOT_EXIST, SUCCESS } from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import { listProblems } from '../../../../contract/problem.ts'
import {
  addChannel,
  enableChannel,
  queryChannel,
  setChannel,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import { DEFAULT_CONTENT_SETTINGS } from '../../../../contract/stream/content-settings.schema.ts'
import { addInput } from '../../../../contract/stream/source.ts'
import { collectTables } from '../../../../hub/export/collect.ts'
import { contentClip } from '../../../kit/engine/content-clip.ts'
import { setUpMedia } from '../../../kit/engine/media.ts'
import { createUdpSource, endPeers } from '../../../kit/fault/media.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { until } from '../../../kit/until.ts'

const test = suite('content of channels')
setUpMedia(test)
hubForEach(test)
test.after.each(endPeers)

const SILENT = { ...DEFAULT_CONTENT_SETTINGS.silent, 'after-s': 2 }

test('black, frozen and silence are checked by default, and a request changes only the checks that it names', async () => {
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  const content = async () => (await admin.send(queryChannel, { id })).channel.config.content
  assert.deepEqual(await content(), DEFAULT_CONTENT_SETTINGS)
  await admin.send(setChannel, { id, name: 'Hall', config: { content: { silent: SILENT } } })
  assert.deepEqual(await content(), { ...DEFAULT_CONTENT_SETTINGS, silent: SILENT })
  assert.deepEqual(JSON.parse(String(collectTables(hub.parts.store).channel[0]?.content)).silent, SILENT)
  const { list } = await admin.send(listLog, { type: 'operation' })
  assert.equal(list[0]?.text, 'Edit channel: Hall – content checks')
})

test('times and levels out of range are refused, and nothing changes', async () => {
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  const set = async (silent: object) =>
    (await admin.send(setChannel, { id, name: 'Hall', config: { content: { silent: { ...SILENT, ...silent } } } }))
      .result
  for (const invalid of [{ 'after-s': 0 }, { 'after-s': 3601 }, { 'after-s': 1.5 }, { level: -101 }, { level: -19 }])
    assert.equal(await set(invalid), INVALID_ARG, JSON.stringify(invalid))
  assert.equal((await admin.send(queryChannel, { id })).channel.config.content?.silent['after-s'], 15)
  for (const valid of [
    { 'after-s': 3600, level: -20 },
    { 'after-s': 1, level: -100 }
  ])
    assert.equal(await set(valid), SUCCESS, JSON.stringify(valid))
})

test('silence degrades a channel and is a problem until there is sound again', async () => {
  const source = await createUdpSource()
  const { id: input } = await admin.send(addInput, { name: 'Camera', config: { type: 1, url: source.url } })
  const { id } = await admin.send(addChannel, { name: 'Hall', config: { content: { silent: SILENT } } })
  await admin.send(setChannelInput, { id, input })
  await admin.send(enableChannel, { id, enable: true })
  const channel = async () => (await admin.send(queryChannel, { id })).channel
  const problems = async () => (await admin.send(listProblems, {})).list.map(({ kind, reason }) => [kind, reason])
  await until(async () => (await channel()).health?.verdict === 'on-air', 'the channel is on air')
  await source.change(contentClip('silent'))
  await until(async () => (await channel()).health?.reason === 'silent', 'the channel is silent')
  const { health, input: leg } = await channel()
  assert.equal(health?.verdict, 'degraded')
  assert.equal(health?.message, 'The audio is silent.\nCheck the source and its cable.')
  assert.equal(leg?.health?.reason, 'silent')
  assert.deepEqual(
    leg?.content?.checks.find(({ check }) => check === 'silent'),
    { check: 'silent', state: 'bad' }
  )
  assert.deepEqual(await problems(), [['channel', 'silent']])
  const { levels = [] } = leg?.content ?? {}
  assert.ok(levels.length > 0 && levels.length <= 60 && (levels.at(-1) ?? 0) <= SILENT.level, `${levels}`)
  const picture = () => admin.raw('GET', `/api/channel/fault-picture?id=${id}`)
  await until(async () => (await picture()).headers.get('content-type') === 'image/jpeg', 'there is a picture')
  const bytes = new Uint8Array(await (await picture()).arrayBuffer())
  assert.deepEqual([...bytes.subarray(0, 2)], [0xff, 0xd8], 'it is a JPEG')
  await source.change(contentClip('good'))
  await until(async () => (await channel()).health?.verdict === 'on-air', 'the channel has sound')
  assert.deepEqual(await problems(), [])
  assert.equal(((await (await picture()).json()) as { result: number }).result, NOT_EXIST)
})

test.run()
