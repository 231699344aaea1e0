// An RTSP server for one player over TCP, with two tracks of silent MPEG audio, which states in sender reports what a
// test wants. It sends everything at once: a player takes the times from the packets.

import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'

/** MPEG-1 layer II, 48 kHz, 192 kbit/s: the header of a frame, its bytes, and its duration in units of 1/90,000 s. */
const FRAME_HEADER = 0xfffda400
const FRAME_BYTES = 576
const FRAME_TICKS = 2160
const CLOCK = 90_000
const PAYLOAD_TYPE = 14
const SENDER_REPORT = 200
/** Wall-clock time of the first frames, in seconds since 1900. */
const BEGIN = 4_000_000_000
/** RTP timestamp of the first frame of each track. */
const FIRST_TIMES = [1_000_000, 2_000_000]

/** A sender report of each track: sent before the frame at a time, with an error of its wall-clock time; in seconds. */
export interface SenderReport {
  at: number
  error: number
}

interface RtspSource {
  url: string
  close(): void
}

/** @param seconds length of the stream */
export async function startRtspSource(seconds: number, reports: readonly SenderReport[]): Promise<RtspSource> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.setEncoding('latin1').on('data', (text: string) => {
      for (const request of text.split('\r\n\r\n').filter((part) => /CSeq/i.test(part))) respond(socket, request)
      if (text.startsWith('PLAY')) socket.end(Buffer.concat(interleavedPackets(seconds, reports)))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `rtsp://127.0.0.1:${port}/live`, close: () => server.close() }
}

function respond(socket: Socket, request: string): void {
  const [, method, url = ''] = /^(\w+) (\S+)/.exec(request) ?? []
  const sequence = /CSeq: *(\d+)/i.exec(request)?.[1]
  const track = Number(/track(\d)/.exec(url)?.[1] ?? 0)
  const media = FIRST_TIMES.map((_, index) => `m=audio 0 RTP/AVP ${PAYLOAD_TYPE}\r\na=control:track${index}\r\n`)
  const body = method === 'DESCRIBE' ? `v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n${media.join('')}` : ''
  const rtpInfo = FIRST_TIMES.map((time, index) => `url=${url.replace(/\/$/, '')}/track${index};seq=0;rtptime=${time}`)
  const headers: Readonly<Record<string, string>> = {
    OPTIONS: 'Public: DESCRIBE, SETUP, PLAY\r\n',
    DESCRIBE: `Content-Type: application/sdp\r\nContent-Length: ${body.length}\r\n`,
    SETUP: `Session: 1\r\nTransport: RTP/AVP/TCP;unicast;interleaved=${2 * track}-${2 * track + 1}\r\n`,
    PLAY: `Session: 1\r\nRange: npt=0-\r\nRTP-Info: ${rtpInfo.join(',')}\r\n`
  }
  socket.write(`RTSP/1.0 200 OK\r\nCSeq: ${sequence}\r\n${headers[method ?? ''] ?? ''}\r\n${body}`)
}

function interleavedPackets(seconds: number, reports: readonly SenderReport[]): Buffer[] {
  const packets: Buffer[] = []
  for (let frame = 0; frame * FRAME_TICKS < seconds * CLOCK; frame++) {
    const due = reports.filter(({ at }) => Math.ceil((at * CLOCK) / FRAME_TICKS) === frame)
    for (const [track, first] of FIRST_TIMES.entries()) {
      const time = first + frame * FRAME_TICKS
      for (const { error } of due) {
        const clock = BEGIN + (frame * FRAME_TICKS) / CLOCK + error
        packets.push(interleave(2 * track + 1, senderReport(track, time, clock)))
      }
      packets.push(interleave(2 * track, audioPacket(track, frame, time)))
    }
  }
  return packets
}

function interleave(channel: number, packet: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x24, channel, packet.length >> 8, packet.length & 0xff]), packet])
}

/** RFC 3550, 6.4.1. @param clock seconds since 1900 */
function senderReport(track: number, time: number, clock: number): Buffer {
  const report = Buffer.alloc(28)
  report.writeUInt32BE(0x80 * 2 ** 24 + SENDER_REPORT * 2 ** 16 + report.length / 4 - 1, 0)
  report.writeUInt32BE(track + 1, 4)
  report.writeUInt32BE(Math.floor(clock), 8)
  report.writeUInt32BE(Math.floor((clock % 1) * 2 ** 32), 12)
  report.writeUInt32BE(time, 16)
  return report
}

/** RFC 2250, 3.5: the header of the payload is four zero bytes. */
function audioPacket(track: number, sequence: number, time: number): Buffer {
  const packet = Buffer.alloc(16 + FRAME_BYTES)
  packet[0] = 0x80
  packet[1] = PAYLOAD_TYPE
  packet.writeUInt16BE(sequence, 2)
  packet.writeUInt32BE(time, 4)
  packet.writeUInt32BE(track + 1, 8)
  packet.writeUInt32BE(FRAME_HEADER, 16)
  return packet
}
