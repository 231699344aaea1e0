import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
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
import { freeUdpPort } from '../kit/free-port.ts'
import { type HubProcess, startHubProcess } from '../kit/process.ts'
import { descendantsOf, isRunning } from '../kit/system-processes.ts'
import { mediaFor, send, until } from './media.ts'

const test = suite('life')

mediaFor(test)

test('after a hub was killed nothing of it runs, and its channels run again within 10 s', async () => {
  const data = mkdtempSync(join(tmpdir(), 'headend-life-'))
  const [inPort, sparePort] = [await freeUdpPort(), await freeUdpPort()]
  let arrived = 0
  const target = createSocket('udp4', ({ length }) => {
    arrived += length
  })
  target.bind(0, '127.0.0.1')
  await once(target, 'listening')
  for (const port of [inPort, sparePort]) send('mpegts', `udp://127.0.0.1:${port}?pkt_size=1316`)
  let hub: HubProcess | undefined
  try {
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
    assert.equal((await hub.send(enableChannel, { id, enable: true })).result, 0)
    const carries = async (of: HubProcess): Promise<boolean> => {
      const { channel }: { channel: Channel } = await of.send(queryChannel, { id })
      return channel['conn-num'] === 1 && channel['on-air']?.input === input
    }
    const carrying = async (of: HubProcess) => {
      const began = performance.now()
      while (!(await carries(of))) {
        assert.ok(performance.now() - began < 20_000, 'it does not carry')
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
    await carrying(hub)
    const processes = descendantsOf(hub.child.pid ?? 0)
    assert.ok(processes.length >= 2)
    await hub.kill()
    const killed = performance.now()
    await until('its processes to end', () => !processes.some(isRunning), 5000)
    hub = await startHubProcess(data)
    await carrying(hub)
    const took = performance.now() - killed
    assert.ok(took < 10_000, `${took} ms`)
    const before = arrived
    await until('more at the target', () => arrived > before + 20_000)
  } finally {
    await hub?.kill()
    target.close()
    rmSync(data, { recursive: true })
  }
})

test('nothing is left of an engine, in whatever way its process dies', async () => {
  const deaths = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGSEGV', 'SIGKILL'] as const
  await Promise.all(
    deaths.map(async (signal) => {
      const owner = spawn(process.execPath, [join(import.meta.dirname, 'engine-process.ts')], {
        // A core of a dying process belongs nowhere.
        cwd: tmpdir(),
        stdio: ['ignore', 'pipe', 'inherit']
      })
      let text = ''
      owner.stdout.on('data', (chunk) => {
        text += chunk
      })
      try {
        await until(`the engine to run, before ${signal}`, () => text.includes('running'), 25_000)
        const children = descendantsOf(owner.pid ?? 0)
        assert.equal(children.length, 3)
        owner.kill(signal)
        await until(`its processes to end after ${signal}`, () => !children.some(isRunning), 5000)
      } finally {
        owner.kill('SIGKILL')
      }
    })
  )
})

test.run()
