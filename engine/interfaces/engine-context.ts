// What the legs of all channels share.
import type { PlayOrder, PushOrder } from '../../contract/device/link.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import type { Guesses } from '../access/key-throttle.ts'
import type { HlsShelves } from '../hls/hls-store.ts'
import type { InputCommand } from '../inputs/input-command.ts'
import type { Ndi } from '../ndi/runtime.ts'
import type { Launch, Launcher, Process } from '../process/launcher.ts'

/** Milliseconds. */
export interface Patience {
  /** Without a byte for this long, what had carried is started anew. */
  stall: number
  /** A try that has nothing to show after this is given up. */
  start: number
}

/** Somebody who sends to the hub of its own accord. */
export interface Publisher {
  /** How its stream is to be had this time. */
  command(): InputCommand
  /** Begins to hand on what it sends; what this answers ends the connection when it is stopped. */
  run(launch: Launch): Process
}

export interface Surroundings {
  launcher: Launcher
  /** Address at which devices push to the hub. */
  pushHost: string
  /** Address of SRT listener outputs. */
  outputHost: string
  /**
   * The IPv4 address behind a host that a user named.
   * @throws Error for a name that nobody knows, and an address where nothing of users may go
   */
  place(host: string): Promise<string>
  /** Path of the program for calls over SRT; undefined while it is not there, and then ffmpeg makes them. */
  srtProgram(): string | undefined
  /** What carries NDI. */
  ndi: Ndi
  /** What the web server hands out. */
  shelves: HlsShelves
  /** Who comes with wrong keys. */
  guesses: Guesses
  patience: Patience
  /** Asks a device to push; rejects when it does not want to. */
  order(sn: string, order: PushOrder): Promise<void>
  endOrder(sn: string): Promise<void>
  /** Asks a device to fetch a stream from the hub and put it out; rejects when it does not want to. */
  play(sn: string, order: PlayOrder): Promise<void>
  endPlay(sn: string): Promise<void>
  deviceOnline(sn: string): boolean
  /** Who sends to a channel at the hub's shared ports. */
  publisher(channelId: number): Publisher | undefined
  /** Why somebody was turned away who wanted to, lately. */
  turnedAway(channelId: number): Reason | undefined
  /** Resolves when an earlier input of the same origin, or output of the same device, has let go of it. */
  released(key: string): Promise<void>
  /** A number for somebody who is connected, higher than all before. */
  clientId(): number
  /** A shown value may have changed. */
  changed(): void
  /** Milliseconds of a clock that never goes back. */
  now(): number
}
