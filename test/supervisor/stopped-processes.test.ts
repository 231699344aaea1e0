// The hub or the engine is stopped by a signal for some seconds, and continues.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { listLog } from '../../contract/log.ts'
import { queryChannel } from '../../contract/stream/channel.ts'
import { CONNECTION_STATE } from '../../contract/stream/protocols.ts'
import { SYSTEM_STATUS_BITS, systemStatus } from '../../contract/system.ts'
import { SILENCE_MAX } from '../../engine/connection/peer.ts'
import { findJumps } from '../kit/engine/frame-counter.ts'
import { cleanUpMedia } from '../kit/engine/media.ts'
import { startCountedChannel } from '../kit/hub/counted-channel.ts'
import { type EngineProcess, startEngineProcess } from '../kit/hub/engine-process.ts'
import { type HubProcess, startHubProcess } from '../kit/hub/hub-process.ts'
import { until } from '../kit/until.ts'

const test = suite('stopped processes')

/** Milliseconds: long enough that the other end drops the connection. */
const STOP_TIME = SILENCE_MAX + 3000

let data: string
let engine: EngineProcess
let hub: HubProcess

test.before.each(async () => {
  data = mkdtempSync(join(tmpdir(), 'headend-stopped-'))
  engine = await startEngineProcess(data)
  hub = await startHubProcess(data)
})
test.after.each(async () => {
  await hub.kill()
  await engine.kill()
  rmSync(data, { recursive: true, force: true })
})
test.after(cleanUpMedia)

const events = async () => (await hub.send(listLog, { type: 'system' })).list.map(({ event }) => event)
const outputsOf = async (id: number) => (await hub.send(queryChannel, { id })).channel.outputs.list

async function isConnected(id: number): Promise<boolean> {
  return (await outputsOf(id)).every((leg) => leg['conn-state'] === CONNECTION_STATE.connected)
}

test('a hub that is stopped and continued has its streams, which lost nothing', async () => {
  const { id, recorder } = await startCountedChannel(hub)
  hub.child.kill('SIGSTOP')
  await new Promise((resolve) => setTimeout(resolve, STOP_TIME))
  hub.child.kill('SIGCONT')
  await until(() => isConnected(id), 'the channel is observed')
  const before = recorder.bytes
  await until(() => recorder.bytes > before + 4000, 'the output continues')
  const { continuityGaps, frames } = await recorder.finish()
  assert.deepEqual([continuityGaps, findJumps(frames)], [0, []])
  assert.ok(!(await events()).includes('engine-restarted'))
})

test('the hub reports a stopped engine everywhere, and all streams work when the engine continues', async () => {
  const { id, recorder } = await startCountedChannel(hub)
  engine.child.kill('SIGSTOP')
  try {
    const statusCode = async () => (await hub.send(systemStatus, {})).status.system.status['status-code']
    await until(
      async () => ((await statusCode()) & SYSTEM_STATUS_BITS.engineAway) !== 0,
      'the status reports the engine'
    )
    for (const leg of await outputsOf(id)) {
      assert.equal(leg['conn-state'], CONNECTION_STATE.disconnected)
      assert.match(leg.health?.message ?? '', /stream engine of the hub is not responding/)
    }
    assert.deepEqual(await (await fetch(`${hub.url}/healthz`)).json(), {
      live: true,
      ready: false,
      failing: ['engine']
    })
  } finally {
    engine.child.kill('SIGCONT')
  }
  await until(() => isConnected(id), 'the channel is observed')
  const before = recorder.bytes
  await until(() => recorder.bytes > before + 4000, 'the output continues')
  recorder.close()
  const logged = await events()
  assert.ok(logged.includes('engine-away') && logged.includes('engine-back'), logged.join(' '))
  assert.ok(!logged.includes('engine-restarted'))
})

test.run()
