// How many MPEG-TS packets fit into a datagram.
import { MTU_MAX } from '../../contract/limits.ts'
import { RTP } from '../../contract/stream/protocols.ts'
import { TS_PACKET_SIZE } from '../mpegts/packet.ts'
import { RTP_HEADER } from './rtp.ts'

/** Bytes of the IPv4 and UDP headers. */
const IP_UDP_HEADERS = 28

/**
 * Bytes of MPEG-TS in one datagram, a multiple of the packet size.
 * @param protocol `UDP`, or `RTP` with its own header
 * @param mtu bytes of the IP packet
 */
export function datagramPayloadBytes(protocol: number, mtu = MTU_MAX): number {
  const headers = IP_UDP_HEADERS + (protocol === RTP ? RTP_HEADER : 0)
  return Math.floor((mtu - headers) / TS_PACKET_SIZE) * TS_PACKET_SIZE
}
