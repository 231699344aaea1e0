// A process can be stopped for a while, such as with a virtual machine that freezes.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { suite } from 'uvu'
import { CONNECTION_STATE, UDP } from '../../contract/stream/protocols.ts'
import { sendClip, setUpMedia } from '../kit/engine/media.ts'
import { channel, urlInput } from '../kit/engine/wanted-channels.ts'
import { freeUdpPort } from '../kit/net/free-port.ts'
import { until } from '../kit/until.ts'
import { within } from '../kit/within.ts'
import { startRemoteEngine } from './remote-engine.ts'

const test = suite('paused engine')
setUpMedia(test)

/** Milliseconds; longer than the jump of the timestamps that means a restarted source. */
const PAUSE_MS = 20_000

async function pauseEngine(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  process.kill(pid, 'SIGCONT')
}

test('a channel with a backup carries again after its engine was stopped for 20 s', async () => {
  const [inPort, backupPort] = [await freeUdpPort(), await freeUdpPort()]
  let receivedBytes = 0
  const target = createSocket('udp4', ({ length }) => {
    receivedBytes += length
  })
  target.bind(0, '127.0.0.1')
  await once(target, 'listening')
  const engine = startRemoteEngine()
  try {
    for (const port of [inPort, backupPort]) sendClip('mpegts', `udp://127.0.0.1:${port}?pkt_size=1316`)
    const config = { 'dst-ip': '127.0.0.1', 'dst-port': target.address().port }
    const wanted = channel(1, urlInput(2, `udp://127.0.0.1:${inPort}`), [
      { id: 11, name: 'Out', protocol: UDP, config }
    ])
    engine.sendCommand({ apply: { ...wanted, backups: [urlInput(3, `udp://127.0.0.1:${backupPort}`)] } })
    await engine.waitForState(CONNECTION_STATE.connected, [1, 11])
    await pauseEngine(engine.pid)
    const before = receivedBytes
    await until(() => receivedBytes > before + 100_000, 'the target receives more')
    await engine.waitForState(CONNECTION_STATE.connected, [1, 11])
    assert.ok(engine.isRunning())
  } finally {
    await engine.kill()
    target.close()
  }
})

/** Milliseconds of a gap after which a stream is back. */
const GAP_MAX = 5000

test('a sender to an SRT listener stays connected while the engine is stopped for 20 s, and its stream has no gap of 5 s', async () => {
  const port = await freeUdpPort()
  let receivedBytes = 0
  const target = createSocket('udp4', ({ length }) => {
    receivedBytes += length
  })
  target.bind(0, '127.0.0.1')
  await once(target, 'listening')
  const engine = startRemoteEngine()
  try {
    const config = { 'dst-ip': '127.0.0.1', 'dst-port': target.address().port }
    const output = { id: 11, name: 'Out', protocol: UDP, config } as const
    engine.sendCommand({ apply: channel(1, urlInput(2, `srt://:${port}?mode=listener`), [output]) })
    await engine.waitForState(CONNECTION_STATE.waiting, [1])
    const sender = sendClip('mpegts', `srt://127.0.0.1:${port}?pkt_size=1316`)
    await engine.waitForState(CONNECTION_STATE.connected, [1, 11])
    await pauseEngine(engine.pid)
    const before = receivedBytes
    await within(GAP_MAX, 'the target receives again', () =>
      until(() => receivedBytes > before + 100_000, 'the target receives more')
    )
    await engine.waitForState(CONNECTION_STATE.connected, [1, 11])
    assert.ok(sender.isRunning(), sender.output())
  } finally {
    await engine.kill()
    target.close()
  }
})

test('a killed engine tells an SRT source, so that the next engine has its stream within 5 s', async () => {
  const port = await freeUdpPort()
  const startSource = () => sendClip('mpegts', `srt://127.0.0.1:${port}?mode=listener&pkt_size=1316`)
  const wanted = channel(1, urlInput(2, `srt://127.0.0.1:${port}?mode=caller`))
  const engine = startRemoteEngine()
  let next: typeof engine | undefined
  try {
    const source = startSource()
    engine.sendCommand({ apply: wanted })
    await engine.waitForState(CONNECTION_STATE.connected, [1])
    await within(GAP_MAX, 'the stream is back', async () => {
      await engine.kill()
      // ffmpeg serves one caller.
      await source.exited
      startSource()
      next = startRemoteEngine()
      next.sendCommand({ apply: wanted })
      await next.waitForState(CONNECTION_STATE.connected, [1])
    })
  } finally {
    await engine.kill()
    await next?.kill()
  }
})

test.run()
