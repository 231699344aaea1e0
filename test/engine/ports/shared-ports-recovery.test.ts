// Recovery of the shared ports: after a publisher reconnects, and after the hub was killed.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { addChannel, enableChannel, queryChannel } from '../../../contract/stream/channel.ts'
import { CONNECTION_STATE } from '../../../contract/stream/protocols.ts'
import { systemStatus } from '../../../contract/system.ts'
import { decodeFrames, runProcess, sendClip, setUpMedia } from '../../kit/engine/media.ts'
import { startEngineProcess } from '../../kit/hub/engine-process.ts'
import { type HubProcess, startHubProcess } from '../../kit/hub/hub-process.ts'
import { childrenOf, commandLineOf } from '../../kit/system-processes.ts'
import { until } from '../../kit/until.ts'
import { createSharedPortsFixture, pushedChannel } from './shared-ports-fixture.ts'

const test = suite('shared ports: recovery')
setUpMedia(test)

const foldersOf = (pid: number | undefined) =>
  readdirSync(tmpdir()).filter((name) => new RegExp(`^headend-(relay|rtmp)-${pid}-`).test(name))

/** @param closed the RTMP port of an engine that has ended, which the hub may still report */
function portsOf(hub: HubProcess, closed?: number): Promise<{ srt: number; rtmp: number }> {
  return until(async () => {
    const { ports } = (await hub.send(systemStatus, {})).status.system
    if (ports?.srt.port === undefined || ports.rtmp.port === undefined || ports.rtmp.port === closed) return undefined
    return { srt: ports.srt.port, rtmp: ports.rtmp.port }
  }, 'both ports are open')
}

/** Publishes over RTMP, and waits until the channel is connected. */
async function startPublisher(hub: HubProcess, id: number, closed?: number): Promise<{ srt: number; rtmp: number }> {
  const ports = await portsOf(hub, closed)
  sendClip('flv', `rtmp://127.0.0.1:${ports.rtmp}/live/PUSH-1`)
  await until(async () => {
    const { input } = (await hub.send(queryChannel, { id })).channel
    return input?.['conn-state'] === CONNECTION_STATE.connected
  }, 'the channel is connected')
  return ports
}

test('players stay connected while the publisher is disconnected, and receive data when it reconnects', async () => {
  const fixture = createSharedPortsFixture()
  fixture.engine.apply(pushedChannel())
  await fixture.openPorts()
  const publisher = fixture.pushSrt()
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  const players = [fixture.playSrt(), fixture.playRtmp()]
  const activePlayers = () => fixture.listClients(false).filter((client) => client.kbps > 0).length
  await until(() => activePlayers() === 2, 'both players receive data')
  await publisher.kill()
  await until(
    () => fixture.listClients(true).length + activePlayers() === 0,
    'there is no publisher, and the players receive nothing'
  )
  fixture.pushRtmp()
  await until(
    () => activePlayers() === 2,
    () => `both players receive data again: ${JSON.stringify(fixture.listClients(false))}`
  )
  assert.ok(players.every((player) => player.isRunning()))
  await fixture.engine.close()
})

test('the child processes of a killed engine end, and after a restart it serves publishers and players', async () => {
  const data = mkdtempSync(join(tmpdir(), 'headend-kill-'))
  let engine = await startEngineProcess(data)
  const hub = await startHubProcess(data)
  try {
    const config = { 'push-key': 'PUSH-1', 'play-key': 'PLAY-1' }
    const { id } = await hub.send(addChannel, { name: 'Hall', config })
    await hub.send(enableChannel, { id, enable: true })
    const ports = await startPublisher(hub, id)
    const player = runProcess(['-v', 'error', '-i', `rtmp://127.0.0.1:${ports.rtmp}/live/PLAY-1`, '-f', 'null', '-'])
    // The two port programs, an input leg with its relay, and an output leg.
    const { pid } = engine.child
    await until(() => childrenOf(pid ?? 0).length >= 5, 'all child processes of the engine run')
    const children = childrenOf(pid ?? 0)
    assert.equal(foldersOf(pid).length, 2)
    await engine.kill()
    await until(
      () => children.every((child) => !existsSync(`/proc/${child}/exe`)),
      () => `the child processes have ended: ${children.map((child) => commandLineOf(child))}`
    )
    await player.exited
    engine = await startEngineProcess(data)
    const newPorts = await startPublisher(hub, id, ports.rtmp)
    const decoded = await Promise.all([
      decodeFrames(`srt://127.0.0.1:${newPorts.srt}`, 8, ['-srt_streamid', 'PLAY-1']),
      decodeFrames(`rtmp://127.0.0.1:${newPorts.rtmp}/live/PLAY-1`, 8)
    ])
    for (const frames of decoded) assert.ok(frames.distinctFrames > 4, frames.log)
    assert.deepEqual(foldersOf(pid), [])
  } finally {
    await hub.kill()
    await engine.kill()
    rmSync(data, { recursive: true })
  }
})

test.run()
