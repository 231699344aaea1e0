// Transports of RTP and RTCP to one RTSP player: interleaved in its TCP connection, or over UDP to its own address.
// Streams are sent to no other address, so that a client cannot direct one at a third party.
import { createSocket, type Socket as DatagramSocket } from 'node:dgram'
import type { Socket } from 'node:net'
import { Writable } from 'node:stream'
import { RTP } from '../../contract/stream/protocols.ts'
import { normalizeAddress } from '../access/ip-allow-list.ts'
import { datagramPayloadBytes, RTP_HEADER, type RtpNumbering } from '../legs/rtp.ts'

/** Milliseconds between two RTCP reports (RFC 3550, 6.2). */
const REPORT_INTERVAL = 5000
/** Attempts to find two adjacent free ports. */
const PORT_ATTEMPTS = 20

/** Bytes of MPEG-TS in an RTP packet, except in the last one of a write. */
const PAYLOAD = datagramPayloadBytes(RTP)
/**
 * Packets that are sent over UDP at once, and milliseconds until the next ones: about 150 Mbps. The group of pictures
 * that a player begins with would otherwise not fit into the buffer of its socket.
 */
const PACED_PACKETS = 32
const PACE = 2
/** Bytes of the header of a packet that is interleaved (RFC 2326, 10.12). */
const FRAME_HEADER = 4
/** Bytes before the payload in a frame: room for the header of the frame, and the RTP header. */
const HEADERS = FRAME_HEADER + RTP_HEADER
const FRAME = HEADERS + PAYLOAD

export interface RtpTransport {
  /** Value of the Transport header in the response, without the SSRC. */
  header: string
  /**
   * Sends RTP packets.
   * @param frames packets of `FRAME` bytes each, the last one may be shorter, which begin with room for `FRAME_HEADER`
   * bytes. They must not change until `done` is called
   */
  send(frames: Buffer, done: (error?: Error | null) => void): void
  /** Sends an RTCP packet. */
  sendReport(packet: Buffer): void
  close(): void
}

/**
 * RTP interleaved in the RTSP connection (RFC 2326, 10.12).
 * @param options fields of the Transport header in the request
 */
export function createInterleavedTransport(socket: Socket, options: readonly string[]): RtpTransport {
  const channel = Number(
    /^interleaved=(\d{1,3})/.exec(options.find((option) => option.startsWith('inter')) ?? '')?.[1] ?? 0
  )
  const [rtpChannel, rtcpChannel] = [channel & 0xff, (channel + 1) & 0xff]
  const writeFrameHeader = (frame: Buffer, offset: number, end: number, to: number) => {
    frame[offset] = 0x24
    frame[offset + 1] = to
    frame.writeUInt16BE(end - offset - FRAME_HEADER, offset + 2)
  }
  return {
    header: `RTP/AVP/TCP;unicast;interleaved=${rtpChannel}-${rtcpChannel}`,
    send(frames, done) {
      for (let offset = 0; offset < frames.length; offset += FRAME)
        writeFrameHeader(frames, offset, Math.min(offset + FRAME, frames.length), rtpChannel)
      socket.write(frames, done)
    },
    sendReport(packet) {
      const frame = Buffer.concat([Buffer.alloc(FRAME_HEADER), packet])
      writeFrameHeader(frame, 0, frame.length, rtcpChannel)
      socket.write(frame)
    },
    close() {}
  }
}

/**
 * RTP over UDP, from a pair of local ports to the player's address.
 * @param socket the RTSP connection of the player
 * @throws Error if no ports are free, a port of the player is not valid, or the player has disconnected
 */
export async function createUdpTransport(socket: Socket, rtpPort: number, rtcpPort: number): Promise<RtpTransport> {
  const peer = normalizeAddress(socket.remoteAddress)
  const [rtp, rtcp] = await bindPortPair(normalizeAddress(socket.localAddress))
  let isClosed = false
  const close = () => {
    isClosed = true
    rtp.close()
    rtcp.close()
  }
  if (socket.destroyed) {
    close()
    throw new Error('The player has disconnected')
  }
  // Connected sockets receive nothing from other addresses. Otherwise received packets would have to be checked.
  try {
    await Promise.all([connectSocket(rtp, rtpPort, peer), connectSocket(rtcp, rtcpPort, peer)])
  } catch (error) {
    close()
    throw error
  }
  let paceStart = 0
  let pacePackets = 0
  /** Number of packets that may be sent now. */
  const takePace = () => {
    const now = performance.now()
    if (now - paceStart >= PACE) {
      paceStart = now
      pacePackets = 0
    }
    return PACED_PACKETS - pacePackets
  }
  const [localRtp, localRtcp] = [rtp.address().port, rtcp.address().port]
  return {
    header: `RTP/AVP;unicast;client_port=${rtpPort}-${rtcpPort};server_port=${localRtp}-${localRtcp}`,
    send(frames, done) {
      const sendFrom = (from: number) => {
        if (isClosed) return done()
        const end = Math.min(frames.length, from + takePace() * FRAME)
        const next = () => (end === frames.length ? done() : setTimeout(() => sendFrom(end), PACE))
        let pendingPackets = Math.ceil((end - from) / FRAME)
        pacePackets += pendingPackets
        if (pendingPackets === 0) next()
        for (let offset = from; offset < end; offset += FRAME)
          rtp.send(frames.subarray(offset + FRAME_HEADER, Math.min(offset + FRAME, end)), () => {
            if (--pendingPackets === 0) next()
          })
      }
      sendFrom(0)
    },
    sendReport: (packet) => rtcp.send(packet, () => {}),
    close
  }
}

/**
 * A stream that packs MPEG-TS into RTP packets and sends reports with the first packet and then periodically. It copies
 * what it takes.
 * @param onBytes receives the bytes of MPEG-TS that were sent
 */
export function createRtpWriter(
  { send, sendReport }: RtpTransport,
  numbering: RtpNumbering,
  { onBytes, now }: { onBytes(bytes: number): void; now(): number }
): Writable {
  // Reused by each write, because a buffer for each packet costs more time than sending it.
  let memory = Buffer.alloc(0)
  let packetCount = 0
  let octetCount = 0
  let reportedAt = Number.NEGATIVE_INFINITY
  return new Writable({
    highWaterMark: PAYLOAD,
    write(data: Buffer, _, done) {
      const time = now()
      const count = Math.ceil(data.length / PAYLOAD)
      if (memory.length < count * FRAME) memory = Buffer.allocUnsafeSlow(count * FRAME)
      for (let packet = 0; packet < count; packet++) {
        numbering.writeHeader(memory, packet * FRAME + FRAME_HEADER, time)
        data.copy(memory, packet * FRAME + HEADERS, packet * PAYLOAD, (packet + 1) * PAYLOAD)
      }
      packetCount += count
      octetCount += data.length
      const { length } = data
      send(memory.subarray(0, length + count * HEADERS), (error) => {
        if (!error) onBytes(length)
        done(error)
      })
      if (time - reportedAt < REPORT_INTERVAL) return
      reportedAt = time
      sendReport(numbering.senderReport(time, Date.now(), packetCount, octetCount))
    }
  }).on('error', () => {})
}

/** Binds two adjacent ports, the first of which is even (RFC 3550, 11). */
async function bindPortPair(host: string): Promise<[DatagramSocket, DatagramSocket]> {
  for (let attempt = 0; attempt < PORT_ATTEMPTS; attempt++) {
    const first = await bindSocket(host, 0)
    if (!first) continue
    const { port } = first.address()
    const second = port % 2 === 0 ? await bindSocket(host, port + 1) : undefined
    if (second) return [first, second]
    first.close()
  }
  throw new Error('No two adjacent UDP ports are free')
}

/** Rejects if the port is not in the range from 1 to 65535. */
function connectSocket(socket: DatagramSocket, port: number, host: string): Promise<void> {
  return new Promise((resolve) => socket.connect(port, host, () => resolve()))
}

/** Returns undefined if the port is taken. */
function bindSocket(host: string, port: number): Promise<DatagramSocket | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
    socket.once('error', () => {
      socket.close()
      resolve(undefined)
    })
    socket.bind(port, host, () => {
      // ICMP errors of a player that has left are ignored, because its RTSP connection also closes.
      socket.removeAllListeners('error').on('error', () => {})
      resolve(socket)
    })
  })
}
