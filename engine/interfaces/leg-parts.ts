// What inputs and outputs use of the engine. Each names the parts that it uses, such as `Processes & HostLookup`.
import type { PlayOrder, PushOrder } from '../../contract/device/link.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import type { ObservedRefusal } from './channel.ts'
import type { Launch, Launcher, Process } from './launcher.ts'
import type { InputCommand } from './legs.ts'
import type { Relay } from './relay.ts'

/** Milliseconds. */
export interface Timeouts {
  /** A run that had media is restarted after this time without a byte. */
  stall: number
  /** A run without any result is given up after this time. */
  start: number
}

/** A client that sends a stream to a shared port. */
export interface Publisher {
  /** The command that receives its stream. */
  command(): InputCommand
  /** Starts to forward its stream to the relay. Stopping the returned process disconnects the publisher. */
  run(launch: Launch, relay: Relay): Promise<Process>
}

/** A device that may push to the shared RTMP port. */
export interface RtmpPush {
  /** Its stream key. */
  key: string
  /** Resolves with the port as soon as it is open. Rejects if it cannot be opened, or after `close`. */
  port(): Promise<number>
  /** Disconnects the device, and refuses its key from now on. */
  close(): void
}

/** Milliseconds of a monotonic clock. */
export interface Clock {
  now(): number
}

/** Starts the processes of legs, and measures their times. */
export interface Processes extends Clock {
  launcher: Launcher
}

export interface Deadlines {
  timeouts: Timeouts
}

export interface ChangeReports {
  /** Reports that an observed value may have changed. */
  onChange(): void
}

export interface HostLookup {
  /**
   * Looks up the address of a host that a user has named.
   * @throws ForbiddenAddressError if the address policy forbids it; Error with a system code if the name is unknown
   */
  resolveHost(host: string): Promise<string>
}

export interface SrtProgram {
  /** Path of `headend-srt`; undefined if it is not installed, in which case ffmpeg carries SRT. */
  srtProgram(): string | undefined
}

export interface ListenAddress {
  /** Address of listening outputs. */
  outputHost: string
}

export interface ClientIds {
  /** Returns an ID for a new client, higher than all before. */
  nextClientId(): number
}

export interface KeyChecks {
  keyThrottle: KeyThrottle
}

export interface ReleaseWaits {
  /** Resolves when the previous input of the same origin, or the previous output to the same device, has ended. */
  whenReleased(key: string): Promise<void>
}

export interface DevicePresence {
  isDeviceOnline(sn: string): boolean
  /** Whether a device reports that it has no signal at its own input. Default: none does. */
  hasNoSignal?(sn: string): boolean
}

/** Devices that send a stream to the engine. */
export interface PushOrders extends DevicePresence {
  /** Address at which devices push to the engine. */
  pushHost: string
  /** Orders a device to push its stream. Rejects if the device refuses. */
  orderPush(sn: string, order: PushOrder): Promise<void>
  cancelOrder(sn: string): Promise<void>
}

/** Devices that play a stream of the engine. */
export interface PlaybackOrders extends DevicePresence {
  /** Orders a device to fetch a stream from the engine and play it. Rejects if the device refuses. */
  orderPlayback(sn: string, order: PlayOrder): Promise<void>
  cancelPlayback(sn: string): Promise<void>
}

/** A refusal as a leg shows it. */
export interface ShownRefusal {
  refusal: ObservedRefusal
  /** When the last caller was refused, in milliseconds of the clock. */
  lastAt: number
  /** Whether the leg counts as failed because of it. */
  isAlarm: boolean
}

/** What inputs receive at the shared ports. */
export interface SharedPortInputs {
  /**
   * Admits a device to the shared RTMP port, with a new stream key. @param onPublisher called each time that the device
   * connects
   */
  openRtmpPush(onPublisher: (publisher: Publisher) => void): RtmpPush
  /** The publisher of a channel at the shared ports. */
  publisher(channelId: number): Publisher | undefined
  /** The last publisher that was refused, if the channel may be the one that it meant. */
  lastRefusal(channelId: number): ShownRefusal | undefined
  /** Why publishers of the channel cannot connect, or were disconnected: a shared port has failed. */
  portFailure(channelId: number): Reason | undefined
}

/** A segment that is being read. */
export interface LentSegment {
  /** They do not change until `release` is called. */
  bytes: Buffer
  /** The bytes are needed no longer: their memory can be used for a later segment. */
  release(): void
}

/** Segments and players of one HLS output. */
export interface HlsStore {
  /** Whether a player at this IP address may fetch. */
  isAllowed(address: string): boolean
  /**
   * Whether a player at this address is active. Such an address is not blocked when others behind it try wrong keys.
   */
  isPlaying(address: string): boolean
  /** The newest playlist; undefined until there is a segment. */
  playlist(): string | undefined
  /** A segment, or an initialization segment. */
  segment(name: string): LentSegment | undefined
  /** Counts bytes of segments that were sent to a player at this address. */
  recordFetch(address: string, bytes: number): void
}

/** Stores by stream key. */
export type HlsStores = Map<string, HlsStore>

/** Blocks addresses that try many different wrong stream keys, across all protocols. */
export interface KeyThrottle {
  /**
   * Whether the address is blocked.
   * @param subject as in `recordWrongKey`
   */
  isBlocked(address: string, subject?: string): boolean
  /**
   * Counts a key that does not exist. Ignored while the address is blocked.
   * @param hash result of `hashKey`
   * @param subject the kind of secret if it is not a stream key, such as the login of one output; counted and blocked
   * separately
   */
  recordWrongKey(address: string, hash: string, subject?: string): void
  /** Whether a hash is that of an issued key, even if the key is of no use at the moment. */
  isIssued(hash: string): boolean
  /** Addresses that are blocked for wrong keys, each with the remaining milliseconds. */
  listBlocked(): { address: string; wait: number }[]
  /**
   * Subscribes to new blocks.
   * @returns a function that ends the subscription
   */
  onBlock(listener: (address: string, wait: number) => void): () => void
}
