// Packets that are no transport stream: the input has no stream and says why, until a real one arrives.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { suite } from 'uvu'
import { CONNECTION_STATE } from '../../../contract/stream/protocols.ts'
import { SYNC_BYTE, TS_PACKET_SIZE } from '../../../engine/mpegts/packet.ts'
import { fixture, fixtureForEach } from '../../kit/engine/engine-fixture.ts'
import { sendClip } from '../../kit/engine/media.ts'
import { channel, urlInput } from '../../kit/engine/wanted-channels.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('packets without a stream')
fixtureForEach(test)

test('random bytes are not a stream', async () => {
  const port = await freeUdpPort()
  fixture.engine.apply(channel(1, urlInput(2, `udp://127.0.0.1:${port}`)))
  const socket = createSocket('udp4')
  let sent = 0
  const timer = setInterval(() => {
    sent++
    socket.send(randomBytes(1316), port, '127.0.0.1')
  }, 8)
  try {
    await until(
      () => fixture.engine.observe(1).input.reason === 'not-mpeg-ts',
      () => `the reason is shown: ${JSON.stringify(fixture.engine.observe(1).input)}`
    )
    const states = new Set<number>()
    const before = sent
    await until(() => {
      states.add(fixture.engine.observe(1).input.connState)
      return sent > before + 250
    }, 'more is sent')
    assert.ok(!states.has(CONNECTION_STATE.connected), [...states].join())
    assert.equal(fixture.engine.observe(1).input.reason, 'not-mpeg-ts')
    sendClip('mpegts', `udp://127.0.0.1:${port}?pkt_size=1316`)
    clearInterval(timer)
    await fixture.waitForState(1, CONNECTION_STATE.connected)
  } finally {
    clearInterval(timer)
    socket.close()
  }
})

/** Random packets that were sent. */
let packetCount = 0

/** Packets that begin with the sync byte and are random otherwise, so that they have no valid PAT and PMT. */
function randomPackets(count: number): Buffer {
  packetCount += count
  const packets = randomBytes(count * TS_PACKET_SIZE)
  for (let offset = 0; offset < packets.length; offset += TS_PACKET_SIZE) packets[offset] = SYNC_BYTE
  return packets
}

/** Sends random packets over UDP until the returned function is called. */
function sendRandomPackets(port: number): () => void {
  const socket = createSocket('udp4')
  const timer = setInterval(() => socket.send(randomPackets(7), port, '127.0.0.1'), 8)
  return () => {
    clearInterval(timer)
    socket.close()
  }
}

const untilNotMpegTs = () =>
  until(
    () => fixture.engine.observe(1).input.reason === 'not-mpeg-ts',
    () => `the reason is shown: ${JSON.stringify(fixture.engine.observe(1).input)}`
  )

/** Asserts that the input has no stream while 1750 packets are sent, with the reason. */
async function assertNoStream(): Promise<void> {
  const before = packetCount
  await until(() => {
    const { connState, reason } = fixture.engine.observe(1).input
    assert.notEqual(connState, CONNECTION_STATE.connected)
    assert.equal(reason, 'not-mpeg-ts')
    return packetCount > before + 1750
  }, 'more is sent')
}

const countDiscontinuities = () => fixture.engine.legStats(1)?.report(0)['ts-cc-errors-total']

test('packets without PAT and PMT are not a stream over UDP, before and after a stream', async () => {
  const port = await freeUdpPort()
  fixture.engine.apply(channel(1, urlInput(2, `udp://127.0.0.1:${port}`)))
  const stopFirst = sendRandomPackets(port)
  await untilNotMpegTs()
  await assertNoStream()
  assert.equal(countDiscontinuities(), 0)
  stopFirst()
  const clip = sendClip('mpegts', `udp://127.0.0.1:${port}?pkt_size=1316`)
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  await clip.kill()
  const stopSecond = sendRandomPackets(port)
  await untilNotMpegTs()
  await assertNoStream()
  stopSecond()
  sendClip('mpegts', `udp://127.0.0.1:${port}?pkt_size=1316`)
  await fixture.waitForState(1, CONNECTION_STATE.connected)
})

test('packets without PAT and PMT are not a stream over SRT', async () => {
  const port = await freeUdpPort()
  fixture.engine.apply(channel(1, urlInput(2, `srt://:${port}?mode=listener`)))
  await fixture.waitForState(1, CONNECTION_STATE.waiting)
  const target = `srt://127.0.0.1:${port}?mode=caller&pkt_size=1316`
  const sender = spawn('ffmpeg', [
    '-v',
    'error',
    '-f',
    'data',
    '-i',
    '-',
    '-map',
    '0',
    '-c',
    'copy',
    '-f',
    'data',
    target
  ])
  sender.stdin.on('error', () => {})
  const timer = setInterval(() => sender.stdin.write(randomPackets(28)), 32)
  try {
    await untilNotMpegTs()
    await assertNoStream()
    assert.equal(countDiscontinuities(), 0)
  } finally {
    clearInterval(timer)
    sender.kill('SIGKILL')
  }
})

test.run()
