import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { LICENSE_LIMIT, NOT_EXIST, SUCCESS } from '../../../../contract/codes.ts'
import { FREE_LIMITS } from '../../../../contract/license/license.ts'
import {
  addChannel,
  addChannelOutputs,
  channelDashboard,
  enableChannel,
  enableChannelOutputs,
  queryChannel,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import { duplicateChannel } from '../../../../contract/stream/channel-actions.ts'
import { HTTP, NDI, RTMP, SRT, UDP } from '../../../../contract/stream/protocols.ts'
import { type AddOutputRequest, addInput, addOutput, listOutputs } from '../../../../contract/stream/source.ts'
import { type Client, startHub, type TestHub } from '../../../kit/hub/hub.ts'

const test = suite('duplicating a channel')
let hub: TestHub
let admin: Client
test.before.each(async () => {
  hub = await startHub()
  admin = hub.clientAs()
})
test.after.each(() => hub.close())

const source = async (name: string) =>
  (await admin.send(addInput, { name, config: { type: 1, url: 'rtmp://192.0.2.1/live' } })).id
const queryById = async (id: number) => (await admin.send(queryChannel, { id })).channel

const OUTPUTS: readonly AddOutputRequest[] = [
  { name: 'Listener', protocol: SRT, config: { mode: 'listener', 'bind-port': 9001 } },
  { name: 'Site', protocol: RTMP, config: { url: 'rtmp://192.0.2.9/live', key: 'secret' } },
  { name: 'Group', protocol: UDP, config: { 'dst-ip': '239.0.0.1', 'dst-port': 5000 } },
  { name: 'Web', protocol: HTTP, config: { 'seg-count': 7, 'seg-duration': 3 } },
  { name: 'Studio', protocol: NDI, config: { group: 'news' } }
]

async function addFullChannel(): Promise<number> {
  const [main, backup] = [await source('Main'), await source('Backup')]
  const { id } = await admin.send(addChannel, {
    name: 'Hall',
    config: {
      backups: [backup],
      switch: { 'after-s': 7, back: 'never', 'back-after-s': 60 },
      slate: true,
      protocol: { rtmp: false, srt: true },
      'allow-ip': ['10.0.0.0/8'],
      schedule: { zone: 'Europe/Berlin', rules: [{ days: 127, start: '00:00', stop: '00:00' }] }
    }
  })
  await admin.send(setChannelInput, { id, input: main })
  const outputs: number[] = []
  for (const output of OUTPUTS) outputs.push((await admin.send(addOutput, output)).id)
  await admin.send(addChannelOutputs, { id, outputs })
  await admin.send(enableChannelOutputs, { id, outputs: [outputs[3] ?? 0], enable: false })
  await admin.send(enableChannel, { id, enable: true })
  return id
}

test('a copy is stopped, and has the inputs and settings with new keys, without the schedule', async () => {
  const id = await addFullChannel()
  const copy = await admin.send(duplicateChannel, { id })
  assert.deepEqual([copy.result, copy.name], [SUCCESS, 'Hall copy'])
  const [original, channel] = [await queryById(id), await queryById(copy.id)]
  assert.equal(channel.config.enable, false)
  assert.deepEqual([channel.input?.id, channel.config.backups], [original.input?.id, original.config.backups])
  for (const field of ['switch', 'slate', 'protocol', 'allow-ip', 'replace-publisher', 'ndi'] as const)
    assert.deepEqual(channel.config[field], original.config[field], field)
  assert.deepEqual(channel.config.schedule, { zone: 'Europe/Berlin', rules: [] })
  assert.match(channel.config['push-key'] ?? '', /^PUSH-[0-9A-F-]{36}$/)
  assert.notEqual(channel.config['push-key'], original.config['push-key'])
  assert.notEqual(channel.config['play-key'], original.config['play-key'])
})

test('outputs that cannot exist twice are named, the others are copied with new keys', async () => {
  const copy = await admin.send(duplicateChannel, { id: await addFullChannel() })
  assert.deepEqual(copy['left-out'], [
    { name: 'Listener', why: 'port' },
    { name: 'Site', why: 'target' },
    { name: 'Group', why: 'target' }
  ])
  const { outputs } = await queryById(copy.id)
  assert.deepEqual(
    outputs.list.map(({ name, enable }) => [name, enable]),
    [
      ['Web copy', false],
      ['Studio copy', true]
    ]
  )
  const { list } = await admin.send(listOutputs, {})
  const configs = list.filter(({ protocol }) => protocol === HTTP).map(({ config }) => config as { key: string })
  const [first, second] = configs.map(({ key, ...rest }) => [JSON.stringify(rest), key])
  assert.equal(first?.[0], second?.[0])
  assert.notEqual(first?.[1], second?.[1])
})

test('copies are numbered, named in the language of the request, and not too long', async () => {
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  assert.equal((await admin.send(duplicateChannel, { id })).name, 'Hall copy')
  assert.equal((await admin.send(duplicateChannel, { id })).name, 'Hall copy 2')
  admin.cookie += '; headend-language=zh'
  const { id: long } = await admin.send(addChannel, { name: 'n'.repeat(64) })
  const { name, id: copy } = await admin.send(duplicateChannel, { id: long })
  assert.match(name, /^n+ /)
  assert.ok(name.length <= 64)
  assert.equal((await queryById(copy)).name, name)
})

test('a licence limit leaves nothing behind, and an unknown channel is refused', async () => {
  const id = await addFullChannel()
  const count = async () => [(await admin.send(channelDashboard, {})).total, (await admin.send(listOutputs, {})).total]
  const before = await count()
  hub.parts.store.settings.set('license-limits', { ...FREE_LIMITS, 'max-channel-count': 1 })
  assert.equal((await admin.send(duplicateChannel, { id })).result, LICENSE_LIMIT)
  assert.deepEqual(await count(), before)
  assert.equal((await admin.send(duplicateChannel, { id: 9 })).result, NOT_EXIST)
})

test.run()
