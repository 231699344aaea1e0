// The engine without a hub: it admits publishers and players at the shared ports, and the next hub finds them.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { addChannel, enableChannel, queryChannel } from '../../contract/stream/channel.ts'
import { CONNECTION_STATE } from '../../contract/stream/protocols.ts'
import { systemStatus } from '../../contract/system.ts'
import { cleanUpMedia, sendClip, startReceiver } from '../kit/engine/media.ts'
import { type EngineProcess, startEngineProcess } from '../kit/hub/engine-process.ts'
import { type HubProcess, startHubProcess } from '../kit/hub/hub-process.ts'
import { until } from '../kit/until.ts'

const test = suite('engine without a hub')

let data: string
let engine: EngineProcess
let hub: HubProcess

test.before.each(async () => {
  data = mkdtempSync(join(tmpdir(), 'headend-away-'))
  engine = await startEngineProcess(data)
  hub = await startHubProcess(data)
})
test.after.each(async () => {
  await hub.kill()
  await engine.kill()
  rmSync(data, { recursive: true, force: true })
})
test.after(cleanUpMedia)

test('while the hub is dead, publishers and players are admitted by their keys, and the next hub knows them', async () => {
  const { id } = await hub.send(addChannel, { name: 'Hall', config: { 'push-key': 'PUSH-1', 'play-key': 'PLAY-1' } })
  await hub.send(enableChannel, { id, enable: true })
  const other = await hub.send(addChannel, { name: 'Studio', config: { 'push-key': 'PUSH-2' } })
  await hub.send(enableChannel, { id: other.id, enable: true })
  let port = 0
  let rtmpPort = 0
  await until(async () => {
    const { ports } = (await hub.send(systemStatus, {})).status.system
    port = ports?.srt.port ?? 0
    rtmpPort = ports?.rtmp.port ?? 0
    return port > 0 && rtmpPort > 0
  }, 'the ports are open')
  await hub.kill()
  const url = (side: string, key: string) => `srt://127.0.0.1:${port}?streamid=${side}.srt/live/${key}`
  const stranger = sendClip('mpegts', `${url('publish', 'NO-KEY')}&pkt_size=1316`)
  assert.notEqual(await stranger.exited, 0)
  sendClip('mpegts', `${url('publish', 'PUSH-1')}&pkt_size=1316`)
  sendClip('flv', `rtmp://127.0.0.1:${rtmpPort}/live/PUSH-2`)
  const player = startReceiver(url('play', 'PLAY-1'))
  await until(() => player.bytes() > 50_000, 'the player receives the stream')
  hub = await startHubProcess(data)
  await until(async () => {
    const { channel } = await hub.send(queryChannel, { id })
    return channel.clients.total === 2 && channel.input?.['conn-state'] === CONNECTION_STATE.connected
  }, 'the hub lists both clients')
  await until(async () => {
    const { channel } = await hub.send(queryChannel, { id: other.id })
    return channel.input?.['conn-state'] === CONNECTION_STATE.connected
  }, 'the hub has the stream of the RTMP publisher')
  const { status } = await hub.send(systemStatus, {})
  assert.equal(status.system.ports?.srt.port, port, 'the port did not move')
  const received = player.bytes()
  await until(() => player.bytes() > received + 20_000, 'the player still receives')
})

test.run()
