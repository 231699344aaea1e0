// A way for datagrams that loses some and takes its time, and counts them: a measurement that owes nothing to what is measured.
import { createSocket } from 'node:dgram'

export interface PathOptions {
  /** Port of the loopback at which whoever comes is to arrive. */
  to: number
  /** Loses each n-th packet of media, never one that is sent once more; 0 loses none. */
  nth?: number
  /** Milliseconds that each datagram is under way. */
  delay?: number
  /** What carries media; of SRT unless told otherwise. */
  isMedia?: (datagram: Buffer) => boolean
  /** Each datagram of the caller that is not lost. */
  passed?: (datagram: Buffer) => void
}

export interface Path {
  port: number
  /** Packets of media on their first way: those that came, and those of them that were lost. */
  media: number
  lost: number
  /** Packets of SRT that were sent once more. */
  again: number
  close(): void
}

/** The first bit of an SRT packet is 0 where it carries media; a bit of the second word tells that it did so before. */
const isSrtMedia = (datagram: Buffer) => datagram.length > 16 && ((datagram[0] ?? 0) & 0x80) === 0
const isAgain = (datagram: Buffer) => ((datagram[4] ?? 0) & 0x04) !== 0

export async function createPath({ to, nth = 0, delay = 0, isMedia = isSrtMedia, passed }: PathOptions): Promise<Path> {
  const near = createSocket('udp4')
  const far = createSocket('udp4')
  let caller: { port: number; address: string } | undefined
  const path = { port: 0, media: 0, lost: 0, again: 0, close }
  const isLost = (datagram: Buffer) => {
    if (!isMedia(datagram)) return false
    if (isMedia === isSrtMedia && isAgain(datagram)) {
      path.again++
      return false
    }
    path.media++
    if (nth === 0 || path.media % nth !== 0) return false
    path.lost++
    return true
  }
  const later = (send: () => void) => (delay === 0 ? send() : setTimeout(send, delay))
  let closed = false
  near.on('message', (datagram, from) => {
    caller = from
    if (isLost(datagram)) return
    passed?.(datagram)
    later(() => closed || far.send(datagram, to, '127.0.0.1'))
  })
  far.on('message', (datagram) => {
    if (!isLost(datagram)) later(() => closed || (caller && near.send(datagram, caller.port, caller.address)))
  })
  for (const socket of [near, far]) socket.on('error', () => {})
  await new Promise<void>((resolve) => near.bind(0, '127.0.0.1', resolve))
  path.port = near.address().port
  function close() {
    closed = true
    near.close()
    far.close()
  }
  return path
}
