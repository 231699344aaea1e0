// The hub dies while a channel runs: nothing of the stream is lost, and the next hub continues with the same streams
// and statistics.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { queryChannel } from '../../contract/stream/channel.ts'
import { channelHistory } from '../../contract/stream/channel-history.ts'
import { CONNECTION_STATE } from '../../contract/stream/protocols.ts'
import { FRAME_RATE, findJumps } from '../kit/engine/frame-counter.ts'
import { cleanUpMedia } from '../kit/engine/media.ts'
import { HLS_KEY, startCountedChannel } from '../kit/hub/counted-channel.ts'
import { type EngineProcess, startEngineProcess } from '../kit/hub/engine-process.ts'
import { type HubProcess, startHubProcess } from '../kit/hub/hub-process.ts'
import { until } from '../kit/until.ts'

const test = suite('death of the hub')

let data: string
let engine: EngineProcess
let hub: HubProcess

test.before.each(async () => {
  data = mkdtempSync(join(tmpdir(), 'headend-death-'))
  engine = await startEngineProcess(data)
  hub = await startHubProcess(data)
})
test.after.each(async () => {
  await hub.kill()
  await engine.kill()
  rmSync(data, { recursive: true, force: true })
})
test.after(cleanUpMedia)

const inputOf = async (id: number) => (await hub.send(queryChannel, { id })).channel.input

/** The playlist: the number of its first segment, its length, and whether a segment belongs to another stream. */
async function readPlaylist() {
  const text = await (await fetch(`${hub.url}/hls/${HLS_KEY}/index.m3u8`)).text()
  const sequence = Number(/^#EXT-X-MEDIA-SEQUENCE:(\d+)$/m.exec(text)?.[1])
  return { sequence, length: text.match(/\.ts$/gm)?.length ?? 0, hasSeam: /^#EXT-X-DISCONTINUITY$/m.test(text) }
}

test('a hub that is killed five times and restarted loses no packet and no frame, and figures go on', async () => {
  const { id, recorder } = await startCountedChannel(hub)
  const first = (await inputOf(id))?.report
  await until(async () => (await readPlaylist()).length > 1, 'there are segments')
  const firstPlaylist = await readPlaylist()
  for (let kill = 0; kill < 5; kill++) {
    const before = recorder.bytes
    await hub.kill()
    await until(() => recorder.bytes > before + 4000, 'the output continues without a hub')
    hub = await startHubProcess(data)
    await until(
      async () => (await inputOf(id))?.['conn-state'] === CONNECTION_STATE.connected,
      'the channel is observed'
    )
  }
  const report = (await inputOf(id))?.report
  assert.equal(report?.since, first?.since, 'the statistics were not reset')
  assert.ok((report?.bytes ?? 0) > (first?.bytes ?? 0))
  await until(async () => {
    const { columns } = await hub.send(channelHistory, { id, span: 60 })
    const values = columns.kbps ?? []
    const measured = values.slice(
      values.findIndex((value) => value !== null && value > 0),
      -3
    )
    return measured.length > 5 && measured.every((value) => value !== null && value > 0)
  }, 'the history has no hole')
  const { sequence, hasSeam } = await readPlaylist()
  assert.ok(sequence > firstPlaylist.sequence && sequence < firstPlaylist.sequence + 1000, 'HLS segments go on')
  assert.equal(hasSeam, false)
  const { packets, continuityGaps, frames } = await recorder.finish()
  assert.ok(packets > 100)
  assert.equal(continuityGaps, 0)
  assert.ok(frames.length > 5 * FRAME_RATE, `${frames.length} frames`)
  assert.deepEqual(findJumps(frames), [])
})

test.run()
