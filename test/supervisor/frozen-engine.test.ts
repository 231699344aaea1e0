// A signal stops the engine, and nobody continues it: its watchdog does, and the pictures on air go on all the time.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { listLog } from '../../contract/log.ts'
import { queryChannel } from '../../contract/stream/channel.ts'
import { findJumps } from '../kit/engine/frame-counter.ts'
import { cleanUpMedia } from '../kit/engine/media.ts'
import { startCountedChannel } from '../kit/hub/counted-channel.ts'
import { type EngineProcess, startEngineProcess } from '../kit/hub/engine-process.ts'
import { type HubProcess, startHubProcess } from '../kit/hub/hub-process.ts'
import { until } from '../kit/until.ts'

const test = suite('frozen engine')

let data: string
let engine: EngineProcess
let hub: HubProcess

test.before(async () => {
  data = mkdtempSync(join(tmpdir(), 'headend-frozen-'))
  engine = await startEngineProcess(data)
  hub = await startHubProcess(data)
})
test.after(async () => {
  await hub?.kill()
  await engine?.kill()
  rmSync(data, { recursive: true, force: true })
  await cleanUpMedia()
})

test('a stopped engine is reported, runs again by itself, and no packet of a picture on air is lost', async () => {
  const { id, recorder } = await startCountedChannel(hub)
  const verdictOf = async () => (await hub.send(queryChannel, { id })).channel.health
  await until(async () => (await verdictOf())?.verdict === 'on-air', 'the channel is on air')
  engine.child.kill('SIGSTOP')
  await until(async () => (await verdictOf())?.reason === 'engine-away', 'the stopped engine is reported')
  assert.equal((await verdictOf())?.['next-step'], 'wait')
  await until(async () => (await verdictOf())?.verdict === 'on-air', 'the channel is on air again')
  const before = recorder.bytes
  await until(() => recorder.bytes > before + 4000, 'the output continues')
  const { continuityGaps, frames } = await recorder.finish()
  assert.deepEqual([continuityGaps, findJumps(frames)], [0, []])
  const events = (await hub.send(listLog, { type: 'system' })).list.map(({ event }) => event)
  assert.ok(events.includes('engine-back') && !events.includes('engine-restarted'), events.join(' '))
})

test.run()
