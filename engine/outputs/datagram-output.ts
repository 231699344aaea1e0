// MPEG-TS to an address over UDP, or over RTP.
import { createSocket, type Socket } from 'node:dgram'
import { Writable } from 'node:stream'
import { CONNECTION_STATE, RTP } from '../../contract/stream/protocols.ts'
import type { UdpOutput } from '../../contract/stream/source.ts'
import type { Carrier, CarrierContext, OpenCarrier } from '../legs/carrier.ts'
import { datagramPayloadBytes } from '../legs/datagram-size.ts'
import { createRtpNumbering, RTP_HEADER, type RtpNumbering } from '../legs/rtp.ts'
import { createPacketQueue } from '../mpegts/packet-queue.ts'
import { failure } from '../process/failure.ts'
import { interfaceAddress } from '../process/network-interface.ts'

/** Milliseconds for which it is shown that no program listens at the target port. */
const REFUSAL_SHOWN = 2000

const isMulticast = (address: string) => /^(22[4-9]|23\d)\./.test(address)

/**
 * @param protocol `UDP` or `RTP`
 * @param resolveHost looks up a host and applies the address policy, as in `EngineContext`
 */
export function createDatagramOutput(
  protocol: number,
  config: UdpOutput,
  resolveHost: (host: string) => Promise<string>
): OpenCarrier {
  // Kept over reopenings, because counters only increase.
  const count = { packets: 0 }
  return async (output) => {
    const address = await resolveHost(config['dst-ip'])
    const socket = createSocket('udp4')
    await connectSocket(socket, address, config).catch((error) => {
      socket.close()
      throw error
    })
    const numbering = protocol === RTP ? createRtpNumbering() : undefined
    return createCarrier(socket, datagramPayloadBytes(protocol, config.mtu), numbering, count, output)
  }
}

function createCarrier(
  socket: Socket,
  size: number,
  numbering: RtpNumbering | undefined,
  count: { packets: number },
  { onBytes, onFailure, onChange, inputKbps }: CarrierContext
): Carrier {
  let refusedAt: number | undefined
  const handleError = (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED') {
      refusedAt = performance.now()
      onChange()
    } else onFailure(failure(CONNECTION_STATE.failed, `not-started ${error.message}`))
  }
  socket.on('error', handleError)
  const pipe = createDatagramWriter(socket, size, numbering, (error, bytes) => {
    // The system reports a refused datagram when the next one is sent. The target may start to listen later.
    if (error) return void socket.emit('error', error)
    count.packets++
    onBytes(bytes - (numbering ? RTP_HEADER : 0))
  })
  const queue = createPacketQueue(pipe, inputKbps)
  queue.waitForKeyFrame()
  return {
    media: queue.push,
    end: queue.waitForKeyFrame,
    droppedBytes: queue.droppedBytes,
    counters: () => ({ packets: count.packets }),
    problem: (now) =>
      refusedAt !== undefined && now - refusedAt < REFUSAL_SHOWN
        ? failure(CONNECTION_STATE.refused, 'no-one-there')
        : undefined,
    close: () =>
      new Promise((resolve) => {
        pipe.destroy()
        socket.removeAllListeners('error').on('error', () => {})
        socket.close(() => resolve())
      })
  }
}

/** A stream that cuts MPEG-TS into datagrams. `onSent` is called for each. */
function createDatagramWriter(
  socket: Socket,
  size: number,
  numbering: RtpNumbering | undefined,
  onSent: (error: NodeJS.ErrnoException | null, bytes: number) => void
): Writable {
  return new Writable({
    highWaterMark: size,
    write(data: Buffer, _, done) {
      let pendingDatagrams = Math.ceil(data.length / size)
      const handleSent = (error: NodeJS.ErrnoException | null, bytes: number) => {
        onSent(error, bytes)
        if (--pendingDatagrams === 0) done()
      }
      const now = performance.now()
      for (let offset = 0; offset < data.length; offset += size) {
        const payload = data.subarray(offset, offset + size)
        socket.send(numbering ? [numbering.header(now), payload] : payload, handleSent)
      }
    }
  })
}

/** Binds the socket to the interface for multicast and connects it to the target. */
async function connectSocket(socket: Socket, address: string, config: UdpOutput): Promise<void> {
  const iface = isMulticast(address) && config.iface ? interfaceAddress(config.iface) : undefined
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(0, iface, () => {
      try {
        if (isMulticast(address)) socket.setMulticastTTL(config['mcast-time-to-live'] ?? 1)
        // Binding sets only the source address.
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
