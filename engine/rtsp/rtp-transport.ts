// Transports of RTP and RTCP to one RTSP player: interleaved in its TCP connection, or over UDP to its own address. Streams are sent to no
// other address, so that a client cannot direct one at a third party.
import { createSocket, type Socket as DatagramSocket } from 'node:dgram'
import type { Socket } from 'node:net'
import { Writable } from 'node:stream'
import { RTP } from '../../contract/stream/protocols.ts'
import { normalizeAddress } from '../access/ip-allow-list.ts'
import { datagramPayloadBytes } from '../legs/datagram-size.ts'
import { RTP_HEADER, type RtpNumbering } from '../legs/rtp.ts'

/** Milliseconds between two RTCP reports (RFC 3550, 6.2). */
const REPORT_INTERVAL = 5000
/** Attempts to find two adjacent free ports. */
const PORT_ATTEMPTS = 20

export interface RtpTransport {
  /** Value of the Transport header in the response, without the SSRC. */
  header: string
  /** Sends RTP packets. */
  send(packets: Buffer[], done: (error?: Error | null) => void): void
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
  const frame = (packet: Buffer, to: number) => {
    const head = Buffer.from([0x24, to, 0, 0])
    head.writeUInt16BE(packet.length, 2)
    return [head, packet]
  }
  return {
    header: `RTP/AVP/TCP;unicast;interleaved=${rtpChannel}-${rtcpChannel}`,
    send: (packets, done) =>
      void socket.write(Buffer.concat(packets.flatMap((packet) => frame(packet, rtpChannel))), done),
    sendReport: (packet) => void socket.write(Buffer.concat(frame(packet, rtcpChannel))),
    close() {}
  }
}

/**
 * RTP over UDP, from a pair of local ports to the player's address.
 * @param socket the RTSP connection of the player
 * @throws Error if no ports are free, or the player has disconnected
 */
export async function createUdpTransport(socket: Socket, rtpPort: number, rtcpPort: number): Promise<RtpTransport> {
  const peer = normalizeAddress(socket.remoteAddress)
  const [rtp, rtcp] = await bindPortPair(normalizeAddress(socket.localAddress))
  const close = () => {
    rtp.close()
    rtcp.close()
  }
  if (socket.destroyed) {
    close()
    throw new Error('The player has disconnected')
  }
  // Connected sockets receive nothing from other addresses. Otherwise received packets would have to be checked.
  await Promise.all([connectSocket(rtp, rtpPort, peer), connectSocket(rtcp, rtcpPort, peer)])
  const [localRtp, localRtcp] = [rtp.address().port, rtcp.address().port]
  return {
    header: `RTP/AVP;unicast;client_port=${rtpPort}-${rtcpPort};server_port=${localRtp}-${localRtcp}`,
    send(packets, done) {
      let pendingPackets = packets.length
      for (const packet of packets) rtp.send(packet, () => --pendingPackets === 0 && done())
    },
    sendReport: (packet) => rtcp.send(packet, () => {}),
    close
  }
}

/**
 * A stream that packs MPEG-TS into RTP packets and sends reports with the first packet and then periodically.
 * @param onBytes receives the bytes of MPEG-TS that were sent
 */
export function createRtpWriter(
  { send, sendReport }: RtpTransport,
  numbering: RtpNumbering,
  { onBytes, now }: { onBytes(bytes: number): void; now(): number }
): Writable {
  const size = datagramPayloadBytes(RTP)
  let packetCount = 0
  let octetCount = 0
  let reportedAt = Number.NEGATIVE_INFINITY
  return new Writable({
    highWaterMark: size,
    write(data: Buffer, _, done) {
      const packets: Buffer[] = []
      for (let offset = 0; offset < data.length; offset += size)
        packets.push(Buffer.concat([numbering.header(now()), data.subarray(offset, offset + size)]))
      packetCount += packets.length
      octetCount += data.length
      send(packets, (error) => {
        if (!error) onBytes(packets.reduce((sum, packet) => sum + packet.length - RTP_HEADER, 0))
        done(error)
      })
      const time = now()
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

function connectSocket(socket: DatagramSocket, port: number, host: string): Promise<void> {
  return new Promise((resolve) => socket.connect(port, host, () => resolve()))
}

/** Returns undefined if the port is taken. */
function bindSocket(host: string, port: number): Promise<DatagramSocket | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4')
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
