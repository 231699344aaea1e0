// Streaming servers of a demo device with the documented requests: what it accepts, and what it really sends.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { ServerList } from '../../../fleet/documented/server-list.ts'
import { cleanUpMedia, clipPath, runProcess } from '../../kit/engine/media.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('streaming servers of a documented device')
let servers: ServerList
test.before.each(() => {
  servers = new ServerList({ clipPath: () => clipPath(), hasSrt: true, onSending: () => {} })
})
test.after.each(() => void servers.stop())
test.after(cleanUpMedia)

const query = (parameters: Record<string, string | number>) =>
  new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]))

const RTMP = { type: 0, name: 'Church', url: 'rtmp://192.0.2.1/live', key: 'x', 'is-use': 0 }

test('undocumented parameters, wrong names and equal servers are refused', () => {
  assert.equal(servers.add(query({ ...RTMP, ttl: 3 })), -10)
  assert.equal(servers.add(query({ ...RTMP, name: ' x' })), -10)
  assert.equal(servers.add(query({ ...RTMP, type: 7 })), -10)
  assert.equal(servers.add(query(RTMP)), 0)
  assert.equal(servers.add(query(RTMP)), -27)
  assert.equal(servers.add(query({ ...RTMP, name: 'Other' })), 1)
  assert.equal(servers.start(), 29)
})

test('an SRT listener waits for a caller, and sends the clip to it', async () => {
  const port = await freeUdpPort()
  const settings = { type: 121, name: 'Pull', port, latency: 120, aes: 16, 'aes-word': 'a-secret-of-24-letters' }
  assert.equal(servers.add(query(settings)), 0)
  assert.equal(servers.start(), 0)
  const result = () => (servers.status(false) as { live: { result: number }[] }).live[0]?.result
  assert.equal(result(), 24)
  const url = `srt://127.0.0.1:${port}?passphrase=a-secret-of-24-letters`
  const receive = () => runProcess(['-v', 'error', '-i', url, '-t', '1', '-c', 'copy', '-f', 'null', '-'])
  let receiver = receive()
  await until(async () => {
    if (!receiver.isRunning()) receiver = receive()
    return result() === 22
  }, 'the listener sends')
  assert.equal(await receiver.exited, 0)
})

test.run()
