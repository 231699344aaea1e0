// The hub and each of the engine's processes are stopped for a minute, and continue; the engine is continued earlier.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import { addChannel, channelDashboard, enableChannel } from '../../contract/stream/channel.ts'
import { CONNECTION_STATE } from '../../contract/stream/protocols.ts'
import { systemStatus } from '../../contract/system.ts'
import { findJumps } from '../kit/engine/frame-counter.ts'
import { cleanUpMedia, type RunningProcess, sendClip } from '../kit/engine/media.ts'
import { type CountedChannel, startCountedChannel } from '../kit/hub/counted-channel.ts'
import { type EngineProcess, startEngineProcess } from '../kit/hub/engine-process.ts'
import { type HubProcess, startHubProcess } from '../kit/hub/hub-process.ts'
import { commandLineOf, descendantsOf, isRunning } from '../kit/system-processes.ts'
import { until } from '../kit/until.ts'
import { within } from '../kit/within.ts'

const test = suite('processes stopped for a minute')

/** Milliseconds. */
const STOP_TIME = 60_000
/** Milliseconds from the continuation of a process until everything works again. */
const RECOVERY_MAX = 30_000

let data: string
let engine: EngineProcess
let hub: HubProcess
let counted: CountedChannel
let publishers: { stop(): void }[] = []

test.before.each(async () => {
  data = mkdtempSync(join(tmpdir(), 'headend-soak-'))
  engine = await startEngineProcess(data)
  hub = await startHubProcess(data)
  counted = await startCountedChannel(hub)
})
test.after.each(async () => {
  for (const publisher of publishers) publisher.stop()
  publishers = []
  counted.recorder.close()
  await hub.kill()
  await engine.kill()
  rmSync(data, { recursive: true, force: true })
})
test.after(cleanUpMedia)

/** Publishes the clip again whenever the connection ends, as an encoder does. */
function keepPublishing(target: () => string[]): void {
  let isStopped = false
  let sender: RunningProcess | undefined
  const run = async () => {
    while (!isStopped) {
      sender = sendClip(target()[0] === 'flv' ? 'flv' : 'mpegts', ...target().slice(1))
      await sender.exited
      await sleep(500)
    }
  }
  void run()
  publishers.push({
    stop() {
      isStopped = true
      void sender?.kill()
    }
  })
}

/** Adds a channel for publishers at the shared SRT port and one at the RTMP port, and publishes to both. */
async function addPublishedChannels(): Promise<void> {
  for (const key of ['SRT-1', 'RTMP-1']) {
    const { id } = await hub.send(addChannel, { name: key, config: { 'push-key': key } })
    await hub.send(enableChannel, { id, enable: true })
  }
  const portsOf = async () => (await hub.send(systemStatus, {})).status.system.ports
  await until(async () => Boolean((await portsOf())?.srt.port && (await portsOf())?.rtmp.port), 'the ports are open')
  const ports = await portsOf()
  const srt = `srt://127.0.0.1:${ports?.srt.port}?streamid=publish.srt/live/SRT-1&pkt_size=1316`
  keepPublishing(() => ['mpegts', srt])
  keepPublishing(() => ['flv', `rtmp://127.0.0.1:${ports?.rtmp.port}/live/RTMP-1`])
}

async function areAllConnected(): Promise<boolean> {
  const { list } = await hub.send(channelDashboard, {})
  return list.every(
    ({ input, outputs }) =>
      input?.['conn-state'] === CONNECTION_STATE.connected &&
      outputs.list.every((leg) => leg['conn-state'] === CONNECTION_STATE.connected)
  )
}

/** Waits until all channels run and the output continues, and asserts how long that takes. */
async function waitForRecovery(what: string): Promise<void> {
  await within(RECOVERY_MAX, what, async () => {
    await until(areAllConnected, what)
    const { recorder } = counted
    const before = recorder.bytes
    await until(() => recorder.bytes > before + 4000, 'the output continues')
  })
}

test('a hub that was stopped for a minute is whole, and its streams lost nothing', async () => {
  hub.child.kill('SIGSTOP')
  await sleep(STOP_TIME)
  hub.child.kill('SIGCONT')
  await waitForRecovery('all channels are observed')
  const { continuityGaps, frames } = await counted.recorder.finish()
  assert.deepEqual([continuityGaps, findJumps(frames)], [0, []])
})

test('an engine that was stopped is continued by its watchdog, and whole', async () => {
  await addPublishedChannels()
  await until(areAllConnected, 'all channels run')
  engine.child.kill('SIGSTOP')
  await until(async () => !(await areAllConnected()), 'the hub says so')
  await waitForRecovery('all channels run again')
})

test('each process of the engine can be stopped for a minute, and its streams are back', async () => {
  await addPublishedChannels()
  await until(areAllConnected, 'all channels run')
  const legs = descendantsOf(engine.child.pid ?? 0)
  assert.ok(legs.length >= 3, `${legs.length} processes`)
  for (const leg of legs) {
    if (!isRunning(leg)) continue
    const name = commandLineOf(leg).split('\0')[0]
    process.kill(leg, 'SIGSTOP')
    await sleep(STOP_TIME)
    try {
      process.kill(leg, 'SIGCONT')
    } catch {
      // The engine has replaced it.
    }
    await waitForRecovery(`all channels run after ${name} was stopped`)
  }
})

test.run()
