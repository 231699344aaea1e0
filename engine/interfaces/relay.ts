// A stream, its receivers, and the program that receives it and copies it to them.
import type { Socket } from 'node:net'

/**
 * Receives one stream and copies it to all receivers (the program `headend-relay`). IDs and numbers are chosen by the
 * caller.
 */
export interface Relay {
  /**
   * Path of its Unix socket for media; a first line says what a connection is for (engine/native/relay/greeting.h).
   */
  readonly socketPath: string
  /** Whether its program does not run although it has not ended. */
  isStuck(): boolean
  /** Resolves when programs can connect to the socket; rejects if the program ends before. */
  ready(): Promise<void>
  /**
   * Receives datagrams from now on, instead of the previous source.
   * @throws an error with a system error code, such as EADDRINUSE, if the port cannot be opened
   */
  openDatagrams(source: DatagramSource): Promise<void>
  /**
   * Continues the stream of the relay of another engine: it arrives through that relay until that hands its port over
   * (`moveSource`), so that no packet is lost. It replaces the previous source.
   * @param path media socket of the other relay
   */
  continueDatagrams(path: string, rtp: boolean): ContinuedSource
  /**
   * Hands the port over to another relay. The stream ends here.
   * @throws an error with a system error code; the source then goes on
   */
  moveSource(address: RelayAddress): Promise<void>
  /**
   * Opens a connection through which a process, or the engine, writes MPEG-TS. It replaces the previous source. The
   * socket is paused and unread: it can be the stdio of a child process and must then be destroyed here.
   */
  openFeed(): Promise<Socket>
  /**
   * Lets processes connect to the socket as the source: the first line of each is the returned one. A new connection
   * replaces the previous one. It replaces the previous source.
   */
  awaitFeed(): string
  /**
   * Ends the source. Another stream may follow: receivers continue at its first key frame, and the seam is marked as a
   * discontinuity.
   */
  closeSource(): void
  /** Restricts the stream to one program of a source with several. `undefined`: all programs, unchanged. */
  selectProgram(program: number | undefined): void
  /**
   * Sends the stream to an address. A target that another relay has handed over under this ID stays as it is.
   * @throws an error with a system error code
   */
  addTarget(id: number, target: DatagramTarget): Promise<void>
  removeTarget(id: number): void
  /** Hands a target over to another relay, as `moveSubscriber`. */
  moveTarget(id: number, address: RelayAddress): void
  /**
   * Subscribes a process to the stream as plain MPEG-TS: it begins with PAT, PMT and a key frame, and continues at the
   * next key frame when it was too slow. The socket is paused and unread: it can be the stdin of a child process and
   * must then be destroyed here.
   */
  subscribeProcess(id: number, options: ProcessSubscription): Promise<Socket>
  unsubscribe(id: number): void
  /**
   * Hands a subscriber over to another relay, whose stream has the same frames: this relay sends up to the next key
   * frame, with which the other one continues. The connection stays open.
   * @param address at the other relay, with the subscriber's ID there
   */
  moveSubscriber(id: number, address: RelayAddress): void
  /** Sends null packets to a subscriber that has nothing else to receive. */
  sendNullPackets(id: number): void
  /**
   * Subscribes code of the engine. Returns a function that ends the subscription. A tap that is too slow misses packets
   * without notice.
   */
  subscribeTap(tap: Tap, options?: TapSubscription): () => void
  /**
   * Hands a tap over to another relay, as `moveSubscriber`. Returns a function that ends the subscription; undefined if
   * it has none.
   */
  moveTap(tap: Tap, next: Relay): (() => void) | undefined
  /** Takes over a tap that another relay hands over, and returns its address here. */
  adoptTap(tap: Tap, subscription: TapConnection): RelayAddress
  /** The latest measured values. */
  report(): RelayReport
  stop(): Promise<void>
}

/** Where a program connects to a relay, and the line that it writes first. */
export interface RelayAddress {
  path: string
  greeting: string
}

export interface RelayCallbacks {
  /** Called for each report: every 250 ms, and at once when the state changes. */
  onReport?(report: RelayReport): void
  /** The connection of the feed ended. The stream has ended; another connection may follow. */
  onFeedEnd?(): void
  /** A subscriber's connection ended without `unsubscribe`. */
  onSubscriberEnd?(id: number): void
  /** The program ended unexpectedly; `lines` are the last lines of its stderr. All its connections have ended. */
  onExit(lines: readonly string[]): void
}

export interface DatagramSource {
  /** Local address, `::` for all of IPv6 and IPv4, or a multicast group. */
  address: string
  port: number
  /** Interface on which a multicast group is joined: its address for IPv4, its name for IPv6. */
  iface?: string
  /** Sender of a source-specific multicast group. */
  sender?: string
  rtp: boolean
}

/** The source of a relay that continues the stream of another one. */
export interface ContinuedSource {
  /** Where the other relay hands its port over. */
  address: RelayAddress
  /** Resolves when this relay receives at the port; rejects if the other one ends before it has handed it over. */
  opened: Promise<void>
}

export interface DatagramTarget {
  address: string
  port: number
  /** Bytes of MPEG-TS in a datagram: a multiple of 188. */
  payloadBytes: number
  rtp: boolean
  /** Time to live of multicast datagrams. Default: 1. */
  ttl?: number
  /** Interface for multicast: its address for IPv4, its name for IPv6. */
  iface?: string
}

export interface ProcessSubscription {
  /** Whether it begins with the group of pictures so far instead of the next one. */
  fromCache: boolean
  /** Whether its connection is closed when another stream, or another layout, follows. */
  endsWithStream: boolean
}

export interface TapSubscription {
  fromCache?: boolean
  /** Milliseconds for which media is collected. Default: 20. */
  batch?: number
  /** Holds the newest media, so that a later subscription can begin with it. */
  hold?: MediaHold
}

export interface MediaHold {
  /** Milliseconds for which it is kept after its arrival: from a key frame on, at most 16 MiB. */
  keep: number
  /** Begins at the last key frame that had arrived so many milliseconds ago. Absent: at the next one. */
  age?: number
}

/** The connection of a tap, which can be handed over from relay to relay. */
export interface TapConnection {
  batch: number
  end(): void
}

/** Counters are totals since the start of the program. */
export interface RelayReport {
  source: RelaySource
  /** By ID. */
  targets: ReadonlyMap<number, RelayTarget>
  /** By ID; taps are not included. */
  subscribers: ReadonlyMap<number, RelaySubscriber>
}

export interface RelaySource {
  /** Bytes and packets of MPEG-TS, counted once PAT and PMT are known. */
  bytes: number
  packets: number
  /** Gaps in the continuity counters, counted once PAT and PMT are known. */
  gaps: number
  /** Missing RTP packets. */
  lost: number
  /** Bytes that are not MPEG-TS, or of packets that no PAT and PMT list. */
  invalidBytes: number
  /** Whether packets of a stream with known PAT and PMT arrived within the last second. */
  isCarrying: boolean
  /** Packets at which a decoder can start. */
  starts: number
  /** Changes of the layout. */
  revision: number
  /** Seams: the source restarted, or another one followed. */
  seams: number
  /** The programs of the source, whether selected or not; empty until its PAT is known. */
  programs: readonly RelayProgram[]
  /**
   * Milliseconds since the last packet with a payload of each elementary stream of the program that is received, by its
   * PID; undefined: it has had none.
   */
  ages: ReadonlyMap<number, number | undefined>
  /** Errors of the transport stream. */
  transport: TransportCounts
  /** Samples since the last report. */
  format: FormatSamples
}

export interface TransportCount {
  count: number
  /** When the last one arrived, in milliseconds since the epoch. Without meaning if there was none. */
  at: number
}

export interface TransportCounts {
  /** In the order of `TRANSPORT_ERRORS`. The same array as before if none has been added. */
  errors: readonly TransportCount[]
  /** Jitter of the clock references of the last second against their arrival; absent: not measured. */
  pcrJitterMs?: number
}

/** Samples of the stream, from which its format is read. */
export interface FormatSamples {
  /** Section of the PMT of the program that is received; empty: there is none. Absent: as before. */
  pmt?: Buffer
  /** The first bytes of frames, by PID. */
  samples: readonly (readonly [pid: number, bytes: Buffer])[]
  /** Frames and length, in 1/90,000 s, of the newest group of pictures. */
  group?: readonly [frames: number, ticks: number]
}

export interface RelayProgram {
  number: number
  /** Types of its elementary streams (ISO/IEC 13818-1, table 2-34); empty until its PMT is known. */
  streams: readonly number[]
}

export interface RelayTarget {
  /** Bytes of MPEG-TS. */
  bytes: number
  packets: number
  /** Bytes dropped because the network was too slow. */
  droppedBytes: number
  /** When an ICMP message last said that no program listens at the port, as `performance.now()`. */
  refusedAt?: number
  /** The newest other system error code since the last report. */
  error?: string
}

export interface RelaySubscriber {
  sentBytes: number
  queuedBytes: number
  /** Bytes dropped because it was too slow. */
  droppedBytes: number
  nullPacketBytes: number
}

/** A receiver that the relay of a stream serves, without JavaScript in the path of the packets. */
export interface StreamUser {
  /** The relay runs. Called again with another relay after the first one has ended. */
  attachRelay(relay: Relay): void
  /** The relay has ended, or the receiver was removed from the stream. It removes what it has added to the relay. */
  detachRelay(): void
  /** Hands what it has at its relay over to another one, whose stream has the same frames (`Relay.moveSubscriber`). */
  moveRelay(relay: Relay): void
  /** New measured values: four times a second, and when the state of the source changes. */
  handleReport(report: RelayReport): void
  /** The stream ended. What follows is another stream. */
  handleStreamEnd(): void
}

/** The source of an output: one input, or the output of an input switch. */
export interface Stream {
  /**
   * Subscribes JavaScript, which costs processor time only while the subscription lasts.
   * @param from the stream from which the tap moves, if this one continues it
   * @returns a function that ends the subscription
   */
  subscribe(tap: Tap, options?: TapSubscription, from?: Stream): () => void
  /**
   * Adds a receiver.
   * @param from the stream from which it moves, if this one continues it
   * @returns a function that removes it
   */
  addUser(user: StreamUser, from?: Stream): () => void
  /** The stream whose frames and timestamps this one continues, so that its receivers can move here without a gap. */
  continues?(): Stream | undefined
  /**
   * Removes a receiver but leaves it connected to its relay, which is returned, until that hands it over. Undefined: it
   * is not connected.
   */
  release(receiver: StreamUser | Tap): Relay | undefined
  kbps(): number
  /** When media last arrived, in milliseconds of `Clock.now`; undefined if none did. */
  lastMediaAt(): number | undefined
  /** Whether media arrived in the last 3 seconds. */
  isActive(): boolean
}

/** A subscriber of a stream in JavaScript. */
export interface Tap {
  /**
   * Whole MPEG-TS packets. `data` is valid only during the call.
   * @param starts offsets in `data` of packets at which a decoder can start
   * @param tables the newest PAT and PMT as packets
   */
  media(data: Buffer, starts: readonly number[], tables: Buffer): void
  /** The stream ended. Later data belongs to another stream. */
  end(): void
}
