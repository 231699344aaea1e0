// How the process of an output gets the stream: from the relay, or, if ffmpeg copies bytes to SRT, from a queue in the
// engine.
import type { Writable } from 'node:stream'
import type { Relay, RelayReport, Stream } from '../interfaces/relay.ts'
import type { RelayReceiver } from '../legs/relay-receiver.ts'
import { Subscription } from '../legs/subscription.ts'
import { createPacketQueue } from '../mpegts/packet-queue.ts'

export interface ProcessFeed {
  /** Changes to another stream. */
  attach?(stream: Stream): void
  attachRelay?(relay: Relay): void
  detachRelay?(): void
  /** As `StreamUser.moveRelay`. */
  moveRelay?(relay: Relay): void
  /** The target is open. */
  open?(relay: Relay | undefined): void
  /** Writes null packets, which keep the process active. */
  sendNullPackets?(): void
  nullPacketBytes?(): number
  handleReport?(report: RelayReport): unknown
  /** Bytes that wait for the process. */
  queuedBytes(): number
  /** Bytes dropped because the target was too slow. */
  droppedBytes(): number
  close(): void
}

/** The connection of a process to the relay. A process that can be linked is connected when its target is open. */
export function createRelayFeed(receiver: RelayReceiver): ProcessFeed {
  let isOpen = false
  return {
    attachRelay(relay) {
      if (isOpen) receiver.attachRelay(relay)
    },
    detachRelay: () => receiver.detachRelay(),
    moveRelay: (relay) => receiver.moveRelay(relay),
    open(relay) {
      isOpen = true
      if (relay) receiver.attachRelay(relay)
    },
    handleReport: (report) => receiver.handleReport(report),
    queuedBytes: () => receiver.queuedBytes(),
    droppedBytes: () => receiver.droppedBytes(),
    close: () => receiver.detachRelay()
  }
}

/**
 * A queue for an ffmpeg that copies bytes, which gets null packets until its target is open. It is used if
 * `headend-srt` is not installed.
 * @param stdin of the process
 */
export function createQueueFeed(stdin: Writable, stream: Stream | undefined): ProcessFeed {
  const queue = createPacketQueue(stdin, () => subscription.kbps())
  const subscription = Subscription.ofTap({ media: queue.push, end: queue.waitForKeyFrame })
  let isOpen = false
  let current = stream
  queue.sendNullPackets()
  return {
    attach(next) {
      current = next
      if (isOpen) subscription.attach(next)
    },
    open() {
      isOpen = true
      queue.waitForKeyFrame()
      subscription.attach(current)
    },
    sendNullPackets: queue.sendNullPackets,
    nullPacketBytes: queue.nullPacketBytes,
    queuedBytes: queue.queuedBytes,
    droppedBytes: queue.droppedBytes,
    close: () => subscription.cancel()
  }
}
