// Simulated hardware of a device: load, temperature, traffic, signal, storage. The state is brought up to date when it
// is read, so a device that is not polled costs nothing.
import { PRO_CONVERT_DECODER } from '../contract/device/products.ts'
import type { Behaviour } from './behaviour.ts'
import type { Model } from './models.ts'
import { createRandom, hashOf } from './random.ts'
import type { RosterEntry } from './roster.ts'

/**
 * CPU load and memory usage in percent, and temperature in degrees Celsius, as random walks with one step per second.
 */
export class Load {
  readonly #random: () => number
  cpu: number
  memory: number
  temperature: number

  constructor(random: () => number) {
    this.#random = random
    this.cpu = 20 + random() * 15
    this.memory = 35 + random() * 20
    this.temperature = 45 + random() * 8
  }

  /** @param activity CPU load in percent caused by recordings and streams */
  step(activity: number): void {
    const random = this.#random
    this.cpu += (22 + activity - this.cpu) * 0.15 + (random() - 0.5) * 7
    this.cpu = Math.min(97, Math.max(2, this.cpu))
    this.memory = Math.min(85, Math.max(20, this.memory + (random() - 0.5) * 0.6))
    this.temperature += (42 + this.cpu * 0.35 - this.temperature) * 0.05 + (random() - 0.5) * 0.3
  }
}

/** Video signal at the input. */
export interface Signal {
  cx: number
  cy: number
  /** Frames per second. */
  rate: number
}

/** State of the hardware at one moment. */
export interface MachineReading {
  /** Percent. */
  cpu: number
  /** Percent. */
  memory: number
  /** Degrees Celsius. */
  temperature: number
  /** Revolutions per minute. */
  fan: number
  /** Seconds. */
  upTime: number
  /** Bits per second. */
  rx: number
  tx: number
  signal: Signal | undefined
  /** MB; undefined if the model has no storage. */
  disk: { total: number; used: number } | undefined
  /** Whether the last recording ended because its drive was removed. */
  lostDrive: boolean
  /** Milliseconds since the recording or live stream started; undefined if there is none. */
  recording: number | undefined
  live: number | undefined
  /** Whether the device pushes its stream to the hub. */
  pushing: boolean
  /** URL of the stream that it plays by order of the hub; undefined without an order. */
  playing: string | undefined
}

export type StartResult = 'started' | 'already' | 'no-signal' | 'no-space' | 'unsupported'

const FORMATS: readonly Signal[] = [
  { cx: 1920, cy: 1080, rate: 50 },
  { cx: 1920, cy: 1080, rate: 60 },
  { cx: 1920, cy: 1080, rate: 25 },
  { cx: 3840, cy: 2160, rate: 30 },
  { cx: 1280, cy: 720, rate: 50 }
]
/** Bits per second of a stream that is sent, of its acknowledgements, and of traffic without streams. */
const STREAM_RATE = 2_200_000
const ACKNOWLEDGEMENT_RATE = 60_000
const IDLE_RATE = 14_000
/** Bits per second of the NDI source of a decoder. */
const NDI_RATE = 96_000_000
/** MB per second that a recording writes. */
const RECORDING_RATE = 1
/** Milliseconds between two losses of a flaky signal, and duration of a loss: minimum and maximum. */
const SIGNAL_PRESENT = [120_000, 360_000] as const
const SIGNAL_LOST = [8_000, 25_000] as const
/** Milliseconds by which a wrong clock is ahead. */
const CLOCK_OFFSET = 10 * 365 * 86_400_000
/** Milliseconds over which received bytes are averaged, and after which the rate without further bytes is 0. */
const RATE_WINDOW = 1000
const RATE_TIMEOUT = 3000
/**
 * Maximum number of steps by which the random walks are brought up to date. After a longer pause the values are
 * independent anyway.
 */
const STEPS_MAX = 60

/** Average bit rate of received data. */
class ReceiveRate {
  readonly #now: () => number
  #bytes = 0
  #windowStart = 0
  #rate = 0

  constructor(now: () => number) {
    this.#now = now
  }

  reset(): void {
    this.#rate = 0
    this.#bytes = 0
    this.#windowStart = this.#now()
  }

  count(bytes: number): void {
    this.#bytes += bytes
    const time = this.#now()
    if (time - this.#windowStart < RATE_WINDOW) return
    this.#rate = (this.#bytes * 8000) / (time - this.#windowStart)
    this.#bytes = 0
    this.#windowStart = time
  }

  /** Bits per second. */
  read(): number {
    return this.#now() - this.#windowStart > RATE_TIMEOUT ? 0 : Math.round(this.#rate)
  }
}

/** `setPushing` and `countReceivedBytes` are arrow functions, because they are passed on as callbacks. */
export class Machine {
  readonly #model: Model
  readonly #behaviour: () => Behaviour
  readonly #now: () => number
  readonly #random: () => number
  readonly #format: Signal
  readonly #load: Load
  readonly #received: ReceiveRate
  readonly #hasNdiSource: boolean
  #startedAt: number
  #updatedAt: number
  #isSignalLost = false
  /** Time at which a flaky signal is next lost or restored. */
  #signalChangeAt: number
  #recordingSince: number | undefined
  #hasLostDrive = false
  #liveSince: number | undefined
  /** MB. */
  #diskUsed: number
  #isPushing = false
  #playing: string | undefined

  /**
   * @param behaviour called for each reading: a full disk and a missing signal are behaviours
   * @param now milliseconds since the epoch
   */
  constructor({ sn, model, flaky }: RosterEntry, behaviour: () => Behaviour, now: () => number = Date.now) {
    this.#model = model
    this.#behaviour = behaviour
    this.#now = now
    this.#random = createRandom(hashOf(sn))
    this.#format = FORMATS[Math.floor(this.#random() * FORMATS.length)] as Signal
    this.#diskUsed = Math.round((model.disk ?? 0) * (0.15 + this.#random() * 0.5))
    this.#load = new Load(this.#random)
    this.#received = new ReceiveRate(now)
    this.#startedAt = now()
    this.#updatedAt = this.#startedAt
    this.#signalChangeAt = flaky ? this.#startedAt + this.#between(SIGNAL_PRESENT) : Number.POSITIVE_INFINITY
    this.#hasNdiSource = model.api === 'mwapi' && model.family === PRO_CONVERT_DECODER
  }

  get behaviour(): Behaviour {
    return this.#behaviour()
  }

  read(): MachineReading {
    this.#update()
    const { cpu, memory, temperature } = this.#load
    const { disk } = this.#model
    const time = this.#now()
    const signal = this.#hasSignal() ? this.#format : undefined
    const streams = (this.#isPushing ? 1 : 0) + (this.#liveSince === undefined ? 0 : 1)
    return {
      cpu: this.behaviour === 'system-busy' ? 99 : Math.round(cpu),
      memory: Math.round(memory),
      temperature: Math.round(temperature * 10) / 10,
      fan: Math.round(1800 + Math.max(0, temperature - 40) * 70),
      upTime: Math.floor((this.clock().getTime() - this.#startedAt) / 1000),
      rx: this.#addNoise(IDLE_RATE + streams * ACKNOWLEDGEMENT_RATE) + this.#playbackRate(),
      tx: this.#addNoise(IDLE_RATE + streams * STREAM_RATE),
      signal,
      disk: disk === undefined ? undefined : { total: disk, used: this.#isDiskFull() ? disk : this.#diskUsed },
      lostDrive: this.#hasLostDrive,
      recording: this.#recordingSince === undefined ? undefined : time - this.#recordingSince,
      live: this.#liveSince === undefined ? undefined : time - this.#liveSince,
      pushing: this.#isPushing,
      playing: this.#playing
    }
  }

  /** Time of the device's clock. */
  clock(): Date {
    return new Date(this.#now() + (this.#behaviour() === 'wrong-clock' ? CLOCK_OFFSET : 0))
  }

  startRecording(): StartResult {
    const obstacle = this.#findObstacle(this.#recordingSince !== undefined)
    if (obstacle) return obstacle
    if (this.#isDiskFull()) return 'no-space'
    this.#recordingSince = this.#now()
    this.#hasLostDrive = false
    return 'started'
  }

  stopRecording(): void {
    this.#update()
    this.#recordingSince = undefined
  }

  startLive(): StartResult {
    const obstacle = this.#findObstacle(this.#liveSince !== undefined)
    if (obstacle) return obstacle
    this.#liveSince = this.#now()
    return 'started'
  }

  stopLive(): void {
    this.#update()
    this.#liveSince = undefined
  }

  /** Sets whether the device pushes its stream to the hub. */
  readonly setPushing = (isPushing: boolean): void => {
    this.#update()
    this.#isPushing = isPushing
  }

  /** Sets the URL of the stream that the device plays; undefined: none. */
  setPlaying(url: string | undefined): void {
    this.#update()
    this.#playing = url
    this.#received.reset()
  }

  /** Counts received bytes of the stream that the device plays. */
  readonly countReceivedBytes = (bytes: number): void => this.#received.count(bytes)

  /** Restarts the device: recording and live stream end, and the uptime starts from 0. */
  restart(): void {
    this.#update()
    this.#recordingSince = undefined
    this.#liveSince = undefined
    this.#startedAt = this.#now()
  }

  #between([min, max]: readonly [number, number]): number {
    return min + this.#random() * (max - min)
  }

  #addNoise(bits: number): number {
    return Math.round(bits * (0.94 + this.#random() * 0.12))
  }

  /** Received bits per second of the stream that a decoder plays. */
  #playbackRate(): number {
    if (this.#playing) return this.#received.read()
    return this.#hasNdiSource ? this.#addNoise(NDI_RATE) : 0
  }

  #isDiskFull(): boolean {
    const { disk } = this.#model
    return this.#behaviour() === 'full' || (disk !== undefined && this.#diskUsed >= disk)
  }

  #hasSignal(): boolean {
    return !this.#isSignalLost && this.#behaviour() !== 'no-signal'
  }

  /** Brings the state up to date. */
  #update(): void {
    const time = this.#now()
    while (time >= this.#signalChangeAt) {
      this.#isSignalLost = !this.#isSignalLost
      this.#signalChangeAt += this.#between(this.#isSignalLost ? SIGNAL_LOST : SIGNAL_PRESENT)
    }
    if (this.#recordingSince !== undefined && this.behaviour === 'usb-lost') {
      this.#recordingSince = undefined
      this.#hasLostDrive = true
    }
    const seconds = Math.floor((time - this.#updatedAt) / 1000)
    if (seconds <= 0) return
    this.#updatedAt += seconds * 1000
    const activity =
      (this.#isPushing ? 14 : 0) +
      (this.#playing ? 11 : 0) +
      (this.#recordingSince ? 9 : 0) +
      (this.#liveSince ? 12 : 0)
    for (let step = Math.min(seconds, STEPS_MAX); step > 0; step--) this.#load.step(activity)
    if (this.#recordingSince !== undefined) {
      this.#diskUsed = Math.min(this.#model.disk ?? 0, this.#diskUsed + seconds * RECORDING_RATE)
      if (this.#isDiskFull() || !this.#hasSignal()) this.#recordingSince = undefined
    }
  }

  /** Reason why a recording or live stream cannot start; undefined if it can. */
  #findObstacle(isRunning: boolean): StartResult | undefined {
    this.#update()
    if (!this.#model.liveAndRecord) return 'unsupported'
    if (isRunning) return 'already'
    return this.#hasSignal() ? undefined : 'no-signal'
  }
}
