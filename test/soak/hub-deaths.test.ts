// The hub is killed 50 times at random moments while a channel runs: no packet and no frame is lost.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import { queryChannel } from '../../contract/stream/channel.ts'
import { CONNECTION_STATE } from '../../contract/stream/protocols.ts'
import { FRAME_RATE, findJumps } from '../kit/engine/frame-counter.ts'
import { cleanUpMedia } from '../kit/engine/media.ts'
import { startCountedChannel } from '../kit/hub/counted-channel.ts'
import { startEngineProcess } from '../kit/hub/engine-process.ts'
import { startHubProcess } from '../kit/hub/hub-process.ts'
import { until } from '../kit/until.ts'

const test = suite('fifty deaths of the hub')
const KILLS = 50

test.after(cleanUpMedia)

test('a hub that is killed 50 times loses no packet and no frame', async () => {
  const data = mkdtempSync(join(tmpdir(), 'headend-soak-'))
  const engine = await startEngineProcess(data)
  let hub = await startHubProcess(data)
  try {
    const { id, recorder } = await startCountedChannel(hub)
    const reportOf = async () => (await hub.send(queryChannel, { id })).channel.input?.report
    const first = await reportOf()
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(Math.random() * 1000)
      await hub.kill()
      await sleep(Math.random() * 1000)
      hub = await startHubProcess(data)
    }
    await until(async () => {
      const { channel } = await hub.send(queryChannel, { id })
      return channel.outputs.list.every((leg) => leg['conn-state'] === CONNECTION_STATE.connected)
    }, 'the channel is observed')
    const last = await reportOf()
    assert.equal(last?.since, first?.since)
    const { continuityGaps, frames } = await recorder.finish()
    assert.ok(frames.length > KILLS * FRAME_RATE, `${frames.length} frames`)
    assert.deepEqual([continuityGaps, findJumps(frames)], [0, []])
  } finally {
    await hub.kill()
    await engine.kill()
    rmSync(data, { recursive: true, force: true })
  }
})

test.run()
