import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { suite } from 'uvu'
import { CHANNEL_CONTROL, CHANNEL_VIEW } from '../../../../contract/access/permissions.ts'
import { NOT_EXIST, NOT_PERMITTED, SUCCESS, WRONG_STATE } from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import {
  addChannel,
  enableChannel,
  queryChannel,
  setChannel,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import { switchChannelInput } from '../../../../contract/stream/channel-actions.ts'
import { CONNECTION_STATE } from '../../../../contract/stream/protocols.ts'
import { addInput } from '../../../../contract/stream/source.ts'
import { type RunningProcess, sendClip, setUpMedia } from '../../../kit/engine/media.ts'
import { addUser, type Client, startHub, type TestHub } from '../../../kit/hub/hub.ts'
import { freeUdpPort } from '../../../kit/net/free-port.ts'
import { until } from '../../../kit/until.ts'

const test = suite('switching by an operator')
setUpMedia(test)
let hub: TestHub
let admin: Client
let data = ''
let id = 0
let inputs: number[] = []
let senders: RunningProcess[] = []

const onAir = async () => (await admin.send(queryChannel, { id })).channel['on-air']
const switchTo = (input: number | 'slate' | 'auto') => admin.send(switchChannelInput, { id, input })

/** Waits until this input, or the slate, is on air, held or not. */
function waitForOnAir(input: number | 'slate', isManual: boolean): Promise<void> {
  const observed = () => hub.parts.engine.observe(id).onAir
  return until(
    () => {
      const { inputId, slate, isHeld = false } = observed() ?? {}
      return isHeld === isManual && (input === 'slate' ? slate === true : slate === false && inputId === input)
    },
    () => `${input} is on air: ${JSON.stringify(observed())}`
  )
}

async function start(): Promise<void> {
  hub = await startHub({ data })
  admin = hub.clientAs()
}

/** A running channel with the main input `inputs[0]` and the backup `inputs[1]`, both with media, and a slate. */
test.before.each(async () => {
  data = mkdtempSync(resolve(tmpdir(), 'headend-switch-'))
  await start()
  const ports = [await freeUdpPort(), await freeUdpPort(), await freeUdpPort()]
  inputs = []
  for (const port of ports)
    inputs.push(
      (await admin.send(addInput, { name: `In ${port}`, config: { type: 1, url: `udp://127.0.0.1:${port}` } })).id
    )
  const [main = 0, ...backups] = inputs
  const config = { backups, slate: true, switch: { 'after-s': 2, back: 'first' as const, 'back-after-s': 5 } }
  id = (await admin.send(addChannel, { name: 'Hall', config })).id
  await admin.send(setChannelInput, { id, input: main })
  senders = ports.slice(0, 2).map((port) => sendClip('mpegts', `udp://127.0.0.1:${port}?pkt_size=1316`))
  await admin.send(enableChannel, { id, enable: true })
  await waitForOnAir(main, false)
  await until(
    () => hub.parts.engine.observe(id).backups?.get(inputs[1] ?? 0)?.connState === CONNECTION_STATE.connected,
    'the backup has media'
  )
})
test.after.each(async () => {
  for (const sender of senders) await sender.kill()
  await hub.close()
  rmSync(data, { recursive: true })
})

test('a backup goes on air at once and is held while the main input has media, until automatic switching returns', async () => {
  const [main = 0, backup = 0] = inputs
  assert.equal((await switchTo(backup)).result, SUCCESS)
  await waitForOnAir(backup, true)
  const { why, manual } = (await onAir()) ?? {}
  assert.deepEqual([why, manual], ['backup 1 put on air manually', true])
  const livingTime = () => hub.parts.engine.observe(id).livingTimeS
  const heldAt = livingTime()
  // Longer than the time after which the rule returns to the main input.
  await until(() => livingTime() > heldAt + 6, 'the time of the rule is over')
  await waitForOnAir(backup, true)
  assert.equal((await switchTo('auto')).result, SUCCESS)
  await waitForOnAir(main, false)
  const { list } = await admin.send(listLog, { type: 'operation', key: 'Switch input' })
  assert.deepEqual(
    list.map(({ text, user }) => [text?.replace(/\d+$/, ''), user]),
    [
      ['Switch input of channel: Hall – none', 'Admin'],
      ['Switch input of channel: Hall: In ', 'Admin']
    ]
  )
})

test('the main input goes on air at once and needs no hold', async () => {
  const [main = 0, backup = 0] = inputs
  await admin.send(setChannel, {
    id,
    name: 'Hall',
    config: { switch: { 'after-s': 2, back: 'never', 'back-after-s': 5 } }
  })
  await switchTo(backup)
  await waitForOnAir(backup, true)
  assert.equal((await switchTo(main)).result, SUCCESS)
  await waitForOnAir(main, false)
  await until(() => hub.parts.store.channels.byId(id)?.hold === '', 'the hub has forgotten the choice')
})

test('the slate goes on air at once and is held', async () => {
  const [main = 0] = inputs
  assert.equal((await switchTo('slate')).result, SUCCESS)
  await waitForOnAir('slate', true)
  await switchTo('auto')
  await waitForOnAir(main, false)
})

test('a held input that loses its media is replaced as usual, and is not held when it returns', async () => {
  const [main = 0, backup = 0] = inputs
  await switchTo(backup)
  await waitForOnAir(backup, true)
  await senders[1]?.kill()
  await waitForOnAir(main, false)
  await until(() => hub.parts.store.channels.byId(id)?.hold === '', 'the hub has forgotten the choice')
})

test('the choice is in force again after hub and engine were restarted, and forgotten when the channel stops', async () => {
  const [main = 0, backup = 0] = inputs
  await switchTo(backup)
  await waitForOnAir(backup, true)
  await hub.close()
  await start()
  await waitForOnAir(backup, true)
  await admin.send(enableChannel, { id, enable: false })
  await admin.send(enableChannel, { id, enable: true })
  await waitForOnAir(main, false)
})

test('an input without media, a foreign input, and the input of a stopped channel are refused', async () => {
  const [main = 0, , silent = 0] = inputs
  const refused = await switchTo(silent)
  assert.deepEqual([refused.result, refused['switch-fault'], refused.field], [WRONG_STATE, 'no-media', 'input'])
  assert.match(refused.message ?? '', /^This input has no data\n/)
  assert.equal((await switchTo(9999)).result, NOT_EXIST)
  assert.equal((await onAir())?.input, main)
  await admin.send(setChannel, { id, name: 'Hall', config: { slate: false } })
  assert.equal((await switchTo('slate'))['switch-fault'], 'no-slate')
  await admin.send(enableChannel, { id, enable: false })
  assert.equal((await switchTo(main))['switch-fault'], 'stopped')
})

test('switching needs the permission to control channels', async () => {
  const viewer = await addUser(hub, 'vera', CHANNEL_VIEW)
  const operator = await addUser(hub, 'otto', CHANNEL_CONTROL | CHANNEL_VIEW)
  const request = { id, input: inputs[1] ?? 0 }
  assert.equal((await viewer.send(switchChannelInput, request)).result, NOT_PERMITTED)
  assert.equal((await operator.send(switchChannelInput, request)).result, SUCCESS)
})

test.run()
