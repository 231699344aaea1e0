// A relay with the real program, built with sanitizers, and what its receivers got, read by a parser that shares no
// code with it.
import { createSocket, type Socket as DatagramSocket } from 'node:dgram'
import type { Socket } from 'node:net'
import type { Test } from 'uvu'
import type { Relay } from '../../../engine/interfaces/relay.ts'
import { createLauncher } from '../../../engine/process/launcher.ts'
import { createRelay } from '../../../engine/relay/relay.ts'
import { sendPaced } from '../net/send-paced.ts'
import { until } from '../until.ts'
import { cleanUpMedia } from './media.ts'
import { SANITIZED_RELAY, watchSanitizers } from './sanitized-programs.ts'

export interface RelayFixture {
  relay: Relay
  /** IDs of the subscribers whose connections ended by themselves. */
  endedSubscribers: number[]
  feedEnds: number
  exits: (readonly string[])[]
  /** Process ID of the program. */
  pid(): number
  launcher: ReturnType<typeof createLauncher>
}

export const fixture = {} as RelayFixture
/** Bytes of MPEG-TS in a datagram. */
const DATAGRAM = 7 * 188

const open = new Set<{ close(): void }>()

/** Starts a relay before each test, and ends it and all receivers afterwards. */
export function relayForEach(test: Test): void {
  let watched: ReturnType<typeof watchSanitizers> | undefined
  test.before.each(() => {
    const launcher = createLauncher()
    const sanitized = watchSanitizers(launcher)
    watched = sanitized
    Object.assign(fixture, { launcher, endedSubscribers: [], feedEnds: 0, exits: [] })
    const run: typeof launcher.run = (launch) => {
      const started = sanitized.run(launch)
      fixture.pid = () => started.pid ?? 0
      return started
    }
    fixture.relay = createRelay(
      { run },
      {
        onFeedEnd: () => fixture.feedEnds++,
        onSubscriberEnd: (id) => fixture.endedSubscribers.push(id),
        onExit: (lines) => fixture.exits.push(lines)
      },
      SANITIZED_RELAY
    )
  })
  test.after.each(async () => {
    for (const each of open) each.close()
    open.clear()
    await fixture.relay.stop()
    await fixture.launcher.stopAll()
    watched?.assertNone()
  })
  test.after(cleanUpMedia)
}

export interface DatagramSink {
  port: number
  datagrams: Buffer[]
  /** The payloads, one after another, without the first `header` bytes of each datagram. */
  bytes(header?: number): Buffer
  close(): void
}

/** Receives datagrams on the loopback interface, or of a multicast group. */
export async function openSink(port = 0, group?: string): Promise<DatagramSink> {
  const socket: DatagramSocket = createSocket({ type: 'udp4', reuseAddr: group !== undefined, recvBufferSize: 4 << 20 })
  const datagrams: Buffer[] = []
  socket.on('message', (datagram) => datagrams.push(datagram))
  await new Promise<void>((resolve) => socket.bind(port, group ?? '127.0.0.1', resolve))
  if (group) socket.addMembership(group, '127.0.0.1')
  const sink = {
    port: socket.address().port,
    datagrams,
    bytes: (header = 0) => Buffer.concat(datagrams.map((datagram) => datagram.subarray(header))),
    close: () => {
      open.delete(sink)
      socket.close()
    }
  }
  open.add(sink)
  return sink
}

/** Collects the bytes of a connection, which is paused before. */
export function collect(socket: Socket): { bytes(): Buffer; length(): number; hasEnded(): boolean } {
  const chunks: Buffer[] = []
  let length = 0
  let hasEnded = false
  socket
    .on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
    })
    .on('close', () => (hasEnded = true))
    .resume()
  open.add({ close: () => socket.destroy() })
  return { bytes: () => Buffer.concat(chunks), length: () => length, hasEnded: () => hasEnded }
}

export interface Sender {
  send(datagram: Uint8Array): Promise<void>
  /** Sends bytes in datagrams of seven packets, two of them every `pause` milliseconds. */
  replay(bytes: Buffer, pause?: number): Promise<void>
  close(): void
}

/** Sends datagrams to the loopback interface or to a multicast group. */
export function createSender(port: number, address = '127.0.0.1'): Sender {
  const socket = createSocket('udp4')
  if (address !== '127.0.0.1') socket.bind(0, '127.0.0.1', () => socket.setMulticastInterface('127.0.0.1'))
  const send = (datagram: Uint8Array) =>
    new Promise<void>((resolve) => socket.send(datagram, port, address, () => resolve()))
  const sender = {
    send,
    replay(bytes: Buffer, pause = 1) {
      const pairs = Array.from({ length: Math.ceil(bytes.length / (2 * DATAGRAM)) }, (_, pair) =>
        bytes.subarray(2 * DATAGRAM * pair, 2 * DATAGRAM * (pair + 1))
      )
      return sendPaced(pairs, pause, (pair) => {
        for (let offset = 0; offset < pair.length; offset += DATAGRAM)
          void send(pair.subarray(offset, offset + DATAGRAM))
      })
    },
    close: () => socket.close()
  }
  open.add(sender)
  return sender
}

export const untilCarrying = (isCarrying = true): Promise<void> =>
  until(
    () => fixture.relay.report().source.isCarrying === isCarrying,
    () => `the source ${isCarrying ? 'carries' : 'is silent'}: ${JSON.stringify(fixture.relay.report().source)}`
  )
