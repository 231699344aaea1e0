// An import while channels are on air: those that stay the same lose nothing, the others do what the difference
// announced.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { listBackups, restoreBackup, runBackup } from '../../contract/backup/backup.ts'
import { applyImport, compareImport } from '../../contract/backup/export.ts'
import { SUCCESS } from '../../contract/codes.ts'
import { getPower } from '../../contract/machine/power.ts'
import {
  addChannel,
  addChannelOutputs,
  enableChannel,
  queryChannel,
  setChannelInput
} from '../../contract/stream/channel.ts'
import { CONNECTION_STATE, UDP } from '../../contract/stream/protocols.ts'
import { addInput, addOutput, setOutput } from '../../contract/stream/source.ts'
import { FRAME_RATE, findJumps, UdpRecorder } from '../kit/engine/frame-counter.ts'
import { cleanUpMedia, sendClip } from '../kit/engine/media.ts'
import { startCountedChannel } from '../kit/hub/counted-channel.ts'
import { type EngineProcess, startEngineProcess } from '../kit/hub/engine-process.ts'
import { type HubProcess, startHubProcess } from '../kit/hub/hub-process.ts'
import { freeUdpPort } from '../kit/net/free-port.ts'
import { until } from '../kit/until.ts'

const test = suite('import on air')

/** Bytes that a channel sends in about a second. */
const SECOND_BYTES = 20_000

let data: string
let engine: EngineProcess
let hub: HubProcess
const recorders: UdpRecorder[] = []

test.before.each(async () => {
  data = mkdtempSync(join(tmpdir(), 'headend-import-'))
  engine = await startEngineProcess(data)
  hub = await startHubProcess(data)
})
test.after.each(async () => {
  for (const recorder of recorders.splice(0)) recorder.close()
  await hub.kill()
  await engine.kill()
  rmSync(data, { recursive: true, force: true })
})
test.after(cleanUpMedia)

interface ClipChannel {
  id: number
  /** ID of its UDP output. */
  output: number
  recorder: UdpRecorder
}

const targetOf = ({ port }: UdpRecorder) => ({ 'dst-ip': '127.0.0.1', 'dst-port': port })

async function openRecorder(): Promise<UdpRecorder> {
  const recorder = await UdpRecorder.open(await freeUdpPort())
  recorders.push(recorder)
  return recorder
}

/** Adds a channel that carries a clip to a UDP output, and starts it. */
async function startClipChannel(name: string): Promise<ClipChannel> {
  const recorder = await openRecorder()
  const from = await freeUdpPort()
  const { id } = await hub.send(addChannel, { name })
  const url = `udp://127.0.0.1:${from}`
  const { id: input } = await hub.send(addInput, { name: `${name} in`, config: { type: 1, url } })
  await hub.send(setChannelInput, { id, input })
  const config = targetOf(recorder)
  const { id: output } = await hub.send(addOutput, { name: `${name} out`, protocol: UDP, config })
  await hub.send(addChannelOutputs, { id, outputs: [output] })
  await hub.send(enableChannel, { id, enable: true })
  sendClip('mpegts', `${url}?pkt_size=1316`)
  await until(() => recorder.bytes > 4000, `${name} is on air`)
  return { id, output, recorder }
}

/** Makes a backup. @returns its name */
async function backUp(): Promise<string> {
  await hub.send(runBackup, {})
  const newest = async () => (await hub.send(listBackups, {})).list[0]?.name
  await until(async () => Boolean(await newest()), 'the backup is made')
  return (await newest()) as string
}

/** Whether nothing arrives while another channel sends a second of its stream. */
async function isSilent(recorder: UdpRecorder, other: UdpRecorder): Promise<boolean> {
  const [before, otherBefore] = [recorder.bytes, other.bytes]
  await until(() => other.bytes > otherBefore + SECOND_BYTES, 'the other channel sends')
  return recorder.bytes === before
}

test('a channel that an import leaves as it is loses no packet; others stop, start or restart as the difference says', async () => {
  const kept = await startCountedChannel(hub)
  recorders.push(kept.recorder)
  const stopped = await startClipChannel('Stopped')
  const changed = await startClipChannel('Changed')
  const started = await startClipChannel('Started')
  const elsewhere = await openRecorder()
  await hub.send(enableChannel, { id: stopped.id, enable: false })
  const output = { name: 'Changed out', protocol: UDP, config: targetOf(elsewhere) } as const
  await hub.send(setOutput, { id: changed.output, ...output })
  const name = await backUp()
  await hub.send(enableChannel, { id: stopped.id, enable: true })
  await hub.send(setOutput, { id: changed.output, ...output, config: targetOf(changed.recorder) })
  await hub.send(enableChannel, { id: started.id, enable: false })
  const removed = await startClipChannel('Removed')
  const before = changed.recorder.bytes
  await until(() => changed.recorder.bytes > before + 4000, 'the changed channel is on air')
  const { channel: first } = await hub.send(queryChannel, { id: kept.id })
  const { 'start-time': start } = await hub.send(getPower, {})

  const { id } = await hub.send(restoreBackup, { name })
  const { digest, channels } = await hub.send(compareImport, { id })
  assert.deepEqual(channels.map((channel) => [channel.name, channel.effect, channel['on-air']]).sort(), [
    ['Changed', 'restarts', true],
    ['Removed', 'stops', true],
    ['Started', 'starts', false],
    ['Stopped', 'stops', true]
  ])
  assert.ok(await isSilent(started.recorder, kept.recorder))
  const startedBefore = started.recorder.bytes
  const [bytesBefore, elsewhereBefore] = [kept.recorder.bytes, elsewhere.bytes]
  assert.equal((await hub.send(applyImport, { id, digest })).result, SUCCESS)
  await until(async () => {
    const power = await hub.send(getPower, {}).catch(() => undefined)
    return power?.result === SUCCESS && power['start-time'] > start
  }, 'the hub is back')
  await until(async () => {
    const { channel } = await hub.send(queryChannel, { id: kept.id })
    return channel.input?.['conn-state'] === CONNECTION_STATE.connected
  }, 'the channel is observed')

  await until(() => elsewhere.bytes > elsewhereBefore + 4000, 'the changed channel goes to its other target')
  await until(() => started.recorder.bytes > startedBefore + 4000, 'the started channel is on air')
  for (const { recorder } of [stopped, removed, changed]) assert.ok(await isSilent(recorder, kept.recorder))
  const { channel: last } = await hub.send(queryChannel, { id: kept.id })
  assert.equal(last.input?.report?.since, first.input?.report?.since, 'the statistics were not reset')
  assert.ok(kept.recorder.bytes > bytesBefore)
  const { continuityGaps, frames } = await kept.recorder.finish()
  assert.equal(continuityGaps, 0)
  assert.ok(frames.length > 5 * FRAME_RATE, `${frames.length} frames`)
  assert.deepEqual(findJumps(frames), [])
})

test.run()
