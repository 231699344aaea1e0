// A UDP forwarder that loses and delays datagrams and counts them, to check the measurements of the engine
// independently.
import { createSocket } from 'node:dgram'

export interface LossyPathOptions {
  /** The loopback port that datagrams of the caller are forwarded to. */
  targetPort: number
  /** Loses every n-th media packet, but no retransmitted ones; 0 loses none. */
  loseEvery?: number
  /** Milliseconds by which each datagram is delayed. */
  delayMs?: number
  /** Whether a datagram carries media. By default it tests for SRT data packets. */
  isMedia?: (datagram: Buffer) => boolean
  /** Called with each datagram of the caller that is not lost. */
  onForward?: (datagram: Buffer) => void
}

export interface LossyPath {
  port: number
  /** Media packets that arrived, without retransmitted ones. */
  mediaPackets: number
  /** Media packets that were lost on purpose. */
  lostPackets: number
  /** SRT packets that were retransmitted. */
  retransmittedPackets: number
  close(): void
}

/** The first bit of an SRT data packet is 0. A bit of its second word marks a retransmission. */
const isSrtMedia = (datagram: Buffer) => datagram.length > 16 && ((datagram[0] ?? 0) & 0x80) === 0
const isRetransmitted = (datagram: Buffer) => ((datagram[4] ?? 0) & 0x04) !== 0

export async function createLossyPath({
  targetPort,
  loseEvery = 0,
  delayMs = 0,
  isMedia = isSrtMedia,
  onForward
}: LossyPathOptions): Promise<LossyPath> {
  const callerSocket = createSocket('udp4')
  const targetSocket = createSocket('udp4')
  let caller: { port: number; address: string } | undefined
  let closed = false
  const path: LossyPath = {
    port: 0,
    mediaPackets: 0,
    lostPackets: 0,
    retransmittedPackets: 0,
    close() {
      closed = true
      callerSocket.close()
      targetSocket.close()
    }
  }
  /** Counts a datagram and decides whether it is lost. */
  const isLost = (datagram: Buffer) => {
    if (!isMedia(datagram)) return false
    if (isMedia === isSrtMedia && isRetransmitted(datagram)) {
      path.retransmittedPackets++
      return false
    }
    path.mediaPackets++
    if (loseEvery === 0 || path.mediaPackets % loseEvery !== 0) return false
    path.lostPackets++
    return true
  }
  const delay = (send: () => void) => (delayMs === 0 ? send() : setTimeout(send, delayMs))
  callerSocket.on('message', (datagram, from) => {
    caller = from
    if (isLost(datagram)) return
    onForward?.(datagram)
    delay(() => closed || targetSocket.send(datagram, targetPort, '127.0.0.1'))
  })
  targetSocket.on('message', (datagram) => {
    if (!isLost(datagram)) delay(() => closed || (caller && callerSocket.send(datagram, caller.port, caller.address)))
  })
  for (const socket of [callerSocket, targetSocket]) socket.on('error', () => {})
  await new Promise<void>((resolve) => callerSocket.bind(0, '127.0.0.1', resolve))
  path.port = callerSocket.address().port
  return path
}
