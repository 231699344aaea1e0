// MPEG-TS to an address over UDP, or RTP over it.
import { createSocket, type Socket } from 'node:dgram'
import { Writable } from 'node:stream'
import { MTU_MAX } from '../../contract/limits.ts'
import { CONNECTION, RTP } from '../../contract/stream/protocols.ts'
import type { UdpOutput } from '../../contract/stream/source.ts'
import { createFeed } from '../mpegts/packet-queue.ts'
import { PACKET } from '../mpegts/packets.ts'
import { failure } from '../process/failure.ts'
import { addressOfInterface } from '../process/network-interface.ts'
import { createRtpNumbering, RTP_HEADER } from '../rtsp/rtp.ts'
import type { OpenCarrier } from './in-process-output.ts'

/** Bytes of the headers of IP and UDP. */
const HEADERS = 28
/** Milliseconds for which it is shown that the target's machine has no one at the port. */
const REFUSED = 2000

/** Bytes of MPEG-TS in a datagram: whole packets. */
export function payloadOf(protocol: number, mtu = MTU_MAX): number {
  return Math.floor((mtu - HEADERS - (protocol === RTP ? RTP_HEADER : 0)) / PACKET) * PACKET
}

const isMulticast = (address: string) => /^(22[4-9]|23\d)\./.test(address)

/** @param place looks the target up, and judges it */
export function datagramOutput(
  protocol: number,
  config: UdpOutput,
  place: (host: string) => Promise<string>
): OpenCarrier {
  let packets = 0
  return async ({ carried, failed, changed, kbps }) => {
    const address = await place(config['dst-ip'])
    const socket = createSocket('udp4')
    await prepare(socket, address, config).catch((error) => {
      socket.close()
      throw error
    })
    const size = payloadOf(protocol, config.mtu)
    const numbering = protocol === RTP ? createRtpNumbering() : undefined
    let refusedAt: number | undefined
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') {
        refusedAt = performance.now()
        changed()
      } else failed(failure(CONNECTION.failed, `not-started ${error.message}`))
    })

    const pipe = new Writable({
      highWaterMark: size,
      write(data: Buffer, _, done) {
        let left = Math.ceil(data.length / size)
        const sent = (error: NodeJS.ErrnoException | null, bytes: number) => {
          // Of one that is refused the system tells with the next: it is the target's trouble, and may pass.
          if (error) socket.emit('error', error)
          else {
            packets++
            carried(bytes - (numbering ? RTP_HEADER : 0))
          }
          if (--left === 0) done()
        }
        const now = performance.now()
        for (let at = 0; at < data.length; at += size) {
          const part = data.subarray(at, at + size)
          socket.send(numbering ? [numbering.header(now), part] : part, sent)
        }
      }
    })
    const feed = createFeed(pipe, kbps)
    feed.seek()
    return {
      media: feed.take,
      over: feed.seek,
      dropped: feed.dropped,
      counted: () => ({ packets }),
      trouble: (now) =>
        refusedAt !== undefined && now - refusedAt < REFUSED ? failure(CONNECTION.refused, 'no-one-there') : undefined,
      close: () =>
        new Promise((resolve) => {
          pipe.destroy()
          socket.removeAllListeners('error').on('error', () => {})
          socket.close(() => resolve())
        })
    }
  }
}

async function prepare(socket: Socket, address: string, config: UdpOutput): Promise<void> {
  const iface = isMulticast(address) && config.iface ? addressOfInterface(config.iface) : undefined
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(0, iface, () => {
      try {
        if (isMulticast(address)) socket.setMulticastTTL(config['mcast-time-to-live'] ?? 1)
        // Bound there besides, so that it is the sender's address, too.
        if (iface) socket.setMulticastInterface(iface)
      } catch (error) {
        return reject(error)
      }
      socket.connect(config['dst-port'], address, () => {
        socket.off('error', reject)
        resolve()
      })
    })
  })
}
