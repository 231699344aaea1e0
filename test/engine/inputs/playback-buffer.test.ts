// The playback buffer of inputs, measured in the packets that an output sends: how far the clock reference is behind
// the frames.
import assert from 'node:assert/strict'
import { createSocket, type Socket } from 'node:dgram'
import { suite } from 'uvu'
import { CONNECTION_STATE, RTSP, UDP } from '../../../contract/stream/protocols.ts'
import { buildInputCommand } from '../../../engine/inputs/input-command.ts'
import type { WantedInput } from '../../../engine/interfaces/channel.ts'
import { TS_PACKET_SIZE } from '../../../engine/mpegts/packet.ts'
import {
  decodingTime,
  pcrOffset,
  readPcr,
  TICKS_PER_SECOND,
  timeDifference
} from '../../../engine/mpegts/timestamps.ts'
import { fixture, fixtureForEach, replaceFixture } from '../../kit/engine/engine-fixture.ts'
import { parseUrl } from '../../kit/engine/wanted-channels.ts'
import { freeTcpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'
import { createFakeNdi } from '../ndi/fake-ndi.ts'

const test = suite('playback buffer')

let socket: Socket
/** Milliseconds by which the clock reference was behind each frame that followed one. */
let delays: number[]
fixtureForEach(test)
test.before.each(async () => {
  delays = []
  let clock: number | undefined
  socket = createSocket('udp4').on('message', (datagram) => {
    for (let offset = 0; offset < datagram.length; offset += TS_PACKET_SIZE) {
      const packet = datagram.subarray(offset, offset + TS_PACKET_SIZE)
      const position = pcrOffset(packet)
      if (position < 0) continue
      clock = readPcr(packet, position)
      const time = (packet[1] ?? 0) & 0x40 ? decodingTime(packet) : undefined
      if (time !== undefined) delays.push((1000 * timeDifference(time, clock)) / TICKS_PER_SECOND)
    }
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
})
test.after.each(() => void socket.close())

/**
 * Starts a channel, and waits until frames with a clock reference have arrived. @returns their delays in milliseconds
 */
async function receive(input: WantedInput): Promise<number[]> {
  const { port } = socket.address()
  fixture.engine.apply({
    id: 2,
    name: 'Relay',
    enable: true,
    input,
    outputs: [{ id: 4, name: 'Out', protocol: UDP, config: { 'dst-ip': '127.0.0.1', 'dst-port': port } }]
  })
  await until(() => delays.length >= 5, 'frames have arrived')
  return delays.map(Math.round)
}

test('an RTSP input is passed on with its playback buffer', async () => {
  const port = await freeTcpPort()
  fixture.engine.apply({
    id: 1,
    name: 'Stage',
    enable: true,
    input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' },
    outputs: [{ id: 3, name: 'Eye', protocol: RTSP, config: { port, key: 'hall' } }]
  })
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  const url = parseUrl(`rtsp://127.0.0.1:${port}/hall?mw-tcp-first=1&mw-buffer-duration=700`)
  const measured = await receive({ id: 11, name: 'Eye', kind: 'url', url })
  assert.deepEqual(new Set(measured), new Set([700]))
})

test('an NDI input is encoded with its playback buffer', async () => {
  const network = createFakeNdi('libndi.so.6')
  await replaceFixture({ ndi: { folders: [network.folder] } })
  try {
    network.announce(['STUDIO (Cam 1)', '10.0.0.9:5961'])
    const source = { name: 'STUDIO (Cam 1)', buffer: 1200 }
    const measured = await receive({ id: 11, name: 'In', kind: 'ndi', source })
    assert.deepEqual(new Set(measured), new Set([1200]))
  } finally {
    await fixture.engine.close()
    network.remove()
  }
})

test('RTMP and RTSP have the buffer in milliseconds, and RTSP waits that long for a missing packet', () => {
  const argsOf = (url: string) => buildInputCommand(parseUrl(url)).args.join(' ')
  assert.match(argsOf('rtmp://10.0.0.1/a/b?mw-buffer-duration=40'), / -muxdelay 0\.04 /)
  assert.match(argsOf('rtsp://10.0.0.1/a?mw-buffer-duration=2000'), / -max_delay 2000000 .*-i .* -muxdelay 2 /)
  assert.doesNotMatch(argsOf('rtsp://10.0.0.1/a'), /max_delay/)
  assert.match(argsOf('rtsp://10.0.0.1/a'), / -muxdelay 0 /)
})

test.run()
