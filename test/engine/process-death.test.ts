import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { SUCCESS } from '../../contract/codes.ts'
import {
  addChannel,
  addChannelOutputs,
  type Channel,
  enableChannel,
  queryChannel,
  setChannelInput
} from '../../contract/stream/channel.ts'
import { UDP } from '../../contract/stream/protocols.ts'
import { addInput, addOutput } from '../../contract/stream/source.ts'
import { removeFoldersOfKilledEngines } from '../kit/engine/killed-engine.ts'
import { sendClip, setUpMedia } from '../kit/engine/media.ts'
import { type EngineProcess, startEngineProcess } from '../kit/hub/engine-process.ts'
import { type HubProcess, startHubProcess } from '../kit/hub/hub-process.ts'
import { freeUdpPort } from '../kit/net/free-port.ts'
import { ownTime } from '../kit/own-time.ts'
import { descendantsOf, isRunning } from '../kit/system-processes.ts'
import { until } from '../kit/until.ts'

const test = suite('process death')
test.after(removeFoldersOfKilledEngines)

setUpMedia(test)

test('the processes of a killed engine end, and its channels carry within 10 s after a restart', async () => {
  const data = mkdtempSync(join(tmpdir(), 'headend-life-'))
  const [inPort, sparePort] = [await freeUdpPort(), await freeUdpPort()]
  let receivedBytes = 0
  const target = createSocket('udp4', ({ length }) => {
    receivedBytes += length
  })
  target.bind(0, '127.0.0.1')
  await once(target, 'listening')
  for (const port of [inPort, sparePort]) sendClip('mpegts', `udp://127.0.0.1:${port}?pkt_size=1316`)
  let engine: EngineProcess | undefined
  let hub: HubProcess | undefined
  try {
    engine = await startEngineProcess(data)
    hub = await startHubProcess(data)
    const first: HubProcess = hub
    const source = async (name: string, port: number) =>
      (await first.send(addInput, { name, config: { type: 1, url: `udp://127.0.0.1:${port}` } })).id
    const [input, spare] = [await source('In', inPort), await source('Spare', sparePort)]
    const config = { 'dst-ip': '127.0.0.1', 'dst-port': target.address().port }
    const { id: output } = await hub.send(addOutput, { name: 'Out', protocol: UDP, config })
    const { id } = await hub.send(addChannel, { name: 'Stage', config: { backups: [spare], slate: true } })
    await hub.send(setChannelInput, { id, input })
    await hub.send(addChannelOutputs, { id, outputs: [output] })
    assert.equal((await hub.send(enableChannel, { id, enable: true })).result, SUCCESS)
    const isCarrying = async (hubProcess: HubProcess): Promise<boolean> => {
      const { channel }: { channel: Channel } = await hubProcess.send(queryChannel, { id })
      return channel['conn-num'] === 1 && channel['on-air']?.input === input
    }
    await until(() => isCarrying(first), 'the channel carries')
    const processes = descendantsOf(engine.child.pid ?? 0)
    assert.ok(processes.length >= 2)
    await engine.kill()
    const elapsed = await ownTime(async () => {
      await until(() => !processes.some(isRunning), 'its processes have ended')
      engine = await startEngineProcess(data)
      await until(() => isCarrying(first), 'the channel carries again')
    })
    assert.ok(elapsed < 10_000, `${elapsed} ms`)
    const before = receivedBytes
    await until(() => receivedBytes > before + 20_000, 'the target receives more')
  } finally {
    await hub?.kill()
    await engine?.kill()
    target.close()
    rmSync(data, { recursive: true })
  }
})

test('no process of an engine is left, whatever signal ends its process', async () => {
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGSEGV', 'SIGKILL'] as const
  await Promise.all(
    signals.map(async (signal) => {
      const ports = [await freeUdpPort(), await freeUdpPort(), await freeUdpPort()].map(String)
      const owner = spawn(process.execPath, [join(import.meta.dirname, 'listening-engine-process.ts'), ...ports], {
        // A core dump must not land in the working folder.
        cwd: tmpdir(),
        stdio: ['ignore', 'pipe', 'inherit']
      })
      let text = ''
      owner.stdout.on('data', (chunk) => {
        text += chunk
      })
      try {
        await until(() => text.includes('running'), `the engine runs before ${signal}`)
        const children = descendantsOf(owner.pid ?? 0)
        assert.equal(children.length, 4)
        owner.kill(signal)
        await until(() => !children.some(isRunning), `its processes have ended after ${signal}`)
      } finally {
        owner.kill('SIGKILL')
        await until(() => (owner.exitCode ?? owner.signalCode) !== null, 'the engine ends')
      }
    })
  )
})

test.run()
