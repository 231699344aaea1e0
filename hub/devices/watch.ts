// Asks every accepted device that is online how it is, again and again.
import type { DeviceHello } from '../../contract/link.ts'
import type { Adapter } from './adapters/adapter.ts'
import { ADAPTERS } from './adapters/generations.ts'
import { LinkError } from './link-error.ts'
import type { DeviceLinks } from './links.ts'
import type { Observed } from './registry.ts'
import { createSamples } from './samples.ts'

export interface WatchOptions {
  links: Pick<DeviceLinks, 'request'>
  observed(sn: string, observed: Observed): void
  /** Milliseconds from one poll of a device to the next. Spread by a tenth either way, so that polls do not gather. */
  every?: number
  /** Milliseconds for an answer. */
  timeout?: number
  /** Polls under way at a time, of all devices. */
  inFlightMax?: number
}

interface Watched {
  sn: string
  adapter: Adapter
  sample: ReturnType<typeof createSamples>
  /** Polls in a row that brought nothing. */
  failures: number
  warns: number
  timer?: NodeJS.Timeout
}

/** Bytes of an answer. A real one has 7 KB. */
const ANSWER_MAX = 256 << 10
/** Failures in a row after which what a device said last is no longer claimed to hold. */
const FORGET_AFTER = 3

export function createDeviceWatch({ links, observed, every = 2000, timeout = 4000, inFlightMax = 200 }: WatchOptions) {
  const watched = new Map<string, Watched>()
  /** Devices whose turn has come while too many polls were under way. */
  const waiting = new Set<Watched>()
  let inFlight = 0

  function turn(one: Watched): void {
    if (inFlight < inFlightMax) void poll(one)
    else waiting.add(one)
  }

  async function poll(one: Watched): Promise<void> {
    inFlight++
    const began = performance.now()
    const reading = await read(one)
    inFlight--
    for (const next of waiting) {
      if (inFlight >= inFlightMax) break
      waiting.delete(next)
      void poll(next)
    }
    if (watched.get(one.sn) !== one) return
    const rest = every * (0.9 + Math.random() / 5) - (performance.now() - began)
    one.timer = setTimeout(turn, Math.max(0, rest), one)
    try {
      report(one, reading)
    } catch (error) {
      // What the hub makes of it must not end the watch.
      console.error(`observation of ${one.sn}:`, error)
    }
  }

  async function read({ sn, adapter }: Watched) {
    try {
      const { status, body } = await links.request(sn, { ...adapter.status, maxBody: ANSWER_MAX }, timeout)
      return status === 200 ? adapter.read(JSON.parse(body.toString())) : undefined
    } catch (error) {
      // No answer, or none in JSON: the device's failing. Anything else is ours.
      if (!(error instanceof LinkError || error instanceof SyntaxError)) console.error(`poll of ${sn}:`, error)
      return undefined
    }
  }

  function report(one: Watched, reading: Awaited<ReturnType<typeof read>>): void {
    if (reading) {
      one.failures = 0
      one.warns = reading.warns
      observed(one.sn, one.sample(reading))
      return
    }
    if (++one.failures !== FORGET_AFTER) return
    one.sample = createSamples()
    // A warning is not over because nobody says so any more.
    observed(one.sn, { status: {}, warns: one.warns })
  }

  function stop(sn: string): void {
    const one = watched.get(sn)
    if (!one) return
    clearTimeout(one.timer)
    waiting.delete(one)
    watched.delete(sn)
  }

  return {
    /** Watches a device, from now on. One that is watched already, or answers no known API, is left as it is. */
    start(sn: string, api: DeviceHello['api']): void {
      const adapter = ADAPTERS[api]
      if (!adapter || watched.get(sn)?.adapter === adapter) return
      stop(sn)
      const one: Watched = { sn, adapter, sample: createSamples(), failures: 0, warns: 0 }
      watched.set(sn, one)
      turn(one)
    },
    /** Forgets a device. What is still under way for it is not reported. */
    stop,
    close(): void {
      for (const sn of [...watched.keys()]) stop(sn)
    }
  }
}
