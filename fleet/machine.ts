// The simulated hardware of a device: load, temperature, traffic, signal, storage. Nothing runs by itself: it is brought up to date
// when it is read, so that a device nobody asks costs nothing.
import { PRO_CONVERT_DECODER } from '../contract/device/products.ts'
import type { Behaviour } from './behaviour.ts'
import { createRandom, hashOf } from './random.ts'
import type { Entry } from './roster.ts'

/** What the input sees. */
export interface Signal {
  cx: number
  cy: number
  /** Frames a second. */
  rate: number
}

/** How the device is at one moment. */
export interface Reading {
  /** Percent. */
  cpu: number
  /** Percent. */
  memory: number
  /** Degrees Celsius. */
  temperature: number
  /** Revolutions per minute. */
  fan: number
  /** Seconds since it started. */
  upTime: number
  /** Bits per second. */
  rx: number
  tx: number
  /** Absent while there is none. */
  signal: Signal | undefined
  /** MB; absent where the model has no storage. */
  disk: { total: number; used: number } | undefined
  /** Milliseconds for which it has recorded or streamed; absent when it does not. */
  recording: number | undefined
  live: number | undefined
  /** It sends its stream to the hub. */
  pushing: boolean
  /** From where it plays what the hub ordered, as a URL; absent when it does not. */
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
/** Bits per second of its main stream, and what a link without a stream carries. */
const STREAM = 2_200_000
const IDLE = 14_000
/** MB a second that a recording writes. */
const RECORD_RATE = 1
/** Milliseconds between two losses of a flaky signal, and how long one lasts: least and most. */
const GOOD = [120_000, 360_000] as const
const LOST = [8_000, 25_000] as const
/** Milliseconds by which a wrong clock is ahead. */
const AHEAD = 10 * 365 * 86_400_000
/** Milliseconds for which what comes is counted before it is a rate, and after which a rate without bytes is none any more. */
const COUNTED = 1000
const STALE = 3000
/** Bits per second that a decoder fetches by itself over NDI. */
const NDI = 96_000_000
/** Steps of the random walks that are made up for at most; after a longer pause the values are as good as new ones. */
const STEPS_MAX = 60

export type Machine = ReturnType<typeof createMachine>

/**
 * @param behaviour asked each time: a full disk and a missing signal are ways to behave
 * @param now milliseconds since the epoch
 */
export function createMachine({ sn, model, flaky }: Entry, behaviour: () => Behaviour, now: () => number = Date.now) {
  const random = createRandom(hashOf(sn))
  const between = ([least, most]: readonly [number, number]) => least + random() * (most - least)
  const format = FORMATS[Math.floor(random() * FORMATS.length)] as Signal
  const share = 0.15 + random() * 0.5
  let cpu = 20 + random() * 15
  let memory = 35 + random() * 20
  let temperature = 45 + random() * 8
  let booted = now()
  let stepped = booted
  let lost = false
  let flip = flaky ? booted + between(GOOD) : Number.POSITIVE_INFINITY
  let recordingSince: number | undefined
  let liveSince: number | undefined
  let used = Math.round((model.disk ?? 0) * share)
  let pushing = false
  let playing: string | undefined
  /** Bytes since then, and the bits per second before. */
  let came = 0
  let cameSince = 0
  let rate = 0
  const byNdi = model.api === 'mwapi' && model.family === PRO_CONVERT_DECODER
  /** Bits per second. */
  const played = () => (now() - cameSince > STALE ? 0 : Math.round(rate))
  const noise = (bits: number) => Math.round(bits * (0.94 + random() * 0.12))

  const clock = () => now() + (behaviour() === 'wrong-clock' ? AHEAD : 0)

  function full(): boolean {
    return behaviour() === 'full' || (model.disk !== undefined && used >= model.disk)
  }

  function signalThere(): boolean {
    return !lost && behaviour() !== 'no-signal'
  }

  function advance(): void {
    const time = now()
    while (time >= flip) {
      lost = !lost
      flip += between(lost ? LOST : GOOD)
    }
    const seconds = Math.floor((time - stepped) / 1000)
    if (seconds <= 0) return
    stepped += seconds * 1000
    const busy = (pushing ? 14 : 0) + (playing ? 11 : 0) + (recordingSince ? 9 : 0) + (liveSince ? 12 : 0)
    for (let step = Math.min(seconds, STEPS_MAX); step > 0; step--) {
      cpu += (22 + busy - cpu) * 0.15 + (random() - 0.5) * 7
      cpu = Math.min(97, Math.max(2, cpu))
      memory = Math.min(85, Math.max(20, memory + (random() - 0.5) * 0.6))
      temperature += (42 + cpu * 0.35 - temperature) * 0.05 + (random() - 0.5) * 0.3
    }
    if (recordingSince !== undefined) {
      used = Math.min(model.disk ?? 0, used + seconds * RECORD_RATE)
      if (full() || !signalThere()) recordingSince = undefined
    }
  }

  /** What keeps a recording or a stream from starting. */
  function obstacle(running: boolean): StartResult | undefined {
    advance()
    if (!model.liveAndRecord) return 'unsupported'
    if (running) return 'already'
    return signalThere() ? undefined : 'no-signal'
  }

  return {
    read(): Reading {
      advance()
      const time = now()
      const signal = signalThere() ? format : undefined
      const streams = (pushing ? 1 : 0) + (liveSince === undefined ? 0 : 1)
      return {
        cpu: Math.round(cpu),
        memory: Math.round(memory),
        temperature: Math.round(temperature * 10) / 10,
        fan: Math.round(1800 + Math.max(0, temperature - 40) * 70),
        upTime: Math.floor((clock() - booted) / 1000),
        rx: noise(IDLE + streams * 60_000) + (playing ? played() : byNdi ? noise(NDI) : 0),
        tx: noise(IDLE + streams * STREAM),
        signal,
        disk: model.disk === undefined ? undefined : { total: model.disk, used: full() ? model.disk : used },
        recording: recordingSince === undefined ? undefined : time - recordingSince,
        live: liveSince === undefined ? undefined : time - liveSince,
        pushing,
        playing
      }
    },

    /** What its clock shows. */
    clock: () => new Date(clock()),

    startRecording(): StartResult {
      const no = obstacle(recordingSince !== undefined)
      if (no) return no
      if (full()) return 'no-space'
      recordingSince = now()
      return 'started'
    },
    stopRecording(): void {
      advance()
      recordingSince = undefined
    },
    startLive(): StartResult {
      const no = obstacle(liveSince !== undefined)
      if (no) return no
      liveSince = now()
      return 'started'
    },
    stopLive(): void {
      advance()
      liveSince = undefined
    },
    /** It begins or ends to send its stream to the hub. */
    setPushing(on: boolean): void {
      advance()
      pushing = on
    },
    /** It begins to play from there, or ends. */
    setPlaying(from: string | undefined): void {
      advance()
      playing = from
      rate = 0
      came = 0
      cameSince = now()
    },
    /** So many bytes came of what it plays. */
    receive(bytes: number): void {
      came += bytes
      const time = now()
      if (time - cameSince < COUNTED) return
      rate = (came * 8000) / (time - cameSince)
      came = 0
      cameSince = time
    },
    /** Starts anew: what ran is over, the clock of its up time begins at 0. */
    boot(): void {
      advance()
      recordingSince = undefined
      liveSince = undefined
      booted = now()
    }
  }
}
