// Asks every accepted device that is online how it is, again and again.
import type { DeviceHello } from '../../contract/device/link.ts'
import type { Adapter } from './adapters/adapter.ts'
import { ADAPTERS } from './adapters/generations.ts'
import { LinkError } from './link/link-error.ts'
import type { DeviceLinks } from './link/links.ts'
import type { Observed } from './registry.ts'
import { createSamples } from './samples.ts'

export interface WatchOptions {
  links: Pick<DeviceLinks, 'request'>
  observed(sn: string, observed: Observed): void
  /** Milliseconds from one poll of a device to the next, while there are few. Spread by a tenth either way: polls do not gather. */
  every?: number
  /** Polls a second of all devices together: where there are more, each is asked less often, all in turn. */
  perSecond?: number
  /** Milliseconds for an answer. */
  timeout?: number
  /** Polls under way at a time, of all devices. Half of them at most are of devices that did not answer the last one. */
  inFlightMax?: number
}

interface Watched {
  sn: string
  adapter: Adapter
  sample: ReturnType<typeof createSamples>
  /** Polls in a row that brought nothing. */
  failures: number
  warns: number
  /** Milliseconds, as the process counts them, at which its turn came. */
  due: number
  timer?: NodeJS.Timeout
  /** It was asked before. */
  seen: boolean
  /** Milliseconds, as the process counts them, until which somebody looks at it. */
  looked: number
  /** The poll that is under way. */
  polling?: Promise<void>
}

/** Bytes of an answer. A real one has 7 KB. */
const ANSWER_MAX = 128 << 10
/** Milliseconds until it is looked again whether those that wait may be asked. */
const PAUSE = 20
/** Seconds of `perSecond` that may be made up for at once. */
const BURST = 0.25
/** Milliseconds for which a device that somebody looked at is taken to be looked at. */
const LOOKED = 10_000
/** Failures in a row after which what a device said last is no longer claimed to hold. */
const FORGET_AFTER = 3

export function createDeviceWatch(options: WatchOptions) {
  const { links, observed, every = 2000, perSecond = 400, timeout = 4000, inFlightMax = 400 } = options
  const watched = new Map<string, Watched>()
  /**
   * Devices whose turn has come, each in order: those of which nothing is known yet or that somebody looks at come first; those that
   * failed last time wait by themselves, so that many that are silent do not hold back those that answer.
   */
  const first = new Set<Watched>()
  const waiting = new Set<Watched>()
  const doubtful = new Set<Watched>()
  let inFlight = 0
  let inDoubt = 0
  /** Polls that may begin now. */
  let allowance = perSecond * BURST
  let counted = performance.now()
  let timer: NodeJS.Timeout | undefined

  function turn(one: Watched): void {
    one.due = performance.now()
    const queue = one.failures > 0 ? doubtful : one.seen && one.looked < one.due ? waiting : first
    queue.add(one)
    drain()
  }

  function leave(one: Watched): void {
    clearTimeout(one.timer)
    for (const queue of [first, waiting, doubtful]) queue.delete(one)
  }

  /** Who is asked next, if anybody may be. */
  function next(): Watched | undefined {
    if (inFlight >= inFlightMax) return undefined
    const [one] = first
    if (one) return one
    const [good] = waiting
    const [bad] = doubtful
    if (!bad || inDoubt >= inFlightMax / 2) return good
    return good && good.due <= bad.due ? good : bad
  }

  function drain(): void {
    const now = performance.now()
    allowance = Math.min(perSecond * BURST, allowance + ((now - counted) / 1000) * perSecond)
    counted = now
    for (let one = next(); one; one = next()) {
      if (allowance < 1) {
        timer ??= setTimeout(() => {
          timer = undefined
          drain()
        }, PAUSE)
        return
      }
      allowance--
      leave(one)
      void poll(one)
    }
  }

  function poll(one: Watched): Promise<void> {
    const polling = ask(one).finally(() => {
      if (one.polling === polling) one.polling = undefined
    })
    one.polling = polling
    return polling
  }

  async function ask(one: Watched): Promise<void> {
    const doubt = one.failures > 0 ? 1 : 0
    inFlight++
    inDoubt += doubt
    const began = performance.now()
    const reading = await read(one)
    inFlight--
    inDoubt -= doubt
    drain()
    if (watched.get(one.sn) !== one) return
    const rest = every * (0.9 + Math.random() / 5) - (performance.now() - began)
    one.timer = setTimeout(turn, Math.max(0, rest), one)
    one.seen = true
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
    leave(one)
    watched.delete(sn)
  }

  return {
    /** Watches a device, from now on. One that is watched already, or answers no known API, is left as it is. */
    start(sn: string, api: DeviceHello['api']): void {
      const adapter = ADAPTERS[api]
      if (!adapter || watched.get(sn)?.adapter === adapter) return
      stop(sn)
      const one: Watched = {
        sn,
        adapter,
        sample: createSamples(),
        failures: 0,
        warns: 0,
        due: 0,
        seen: false,
        looked: 0
      }
      watched.set(sn, one)
      turn(one)
    },
    /** Asks a device at once, out of its turn. Resolves when what it says is reported, or nothing has come; never rejects. */
    async look(sn: string): Promise<void> {
      const one = watched.get(sn)
      // What was asked before may have been answered before, too.
      await one?.polling
      if (!one || watched.get(sn) !== one) return
      leave(one)
      await (one.polling ?? poll(one))
    },
    /** Somebody looks at a device: for a while it does not wait behind the others. */
    lookedAt(sn: string): void {
      const one = watched.get(sn)
      if (!one) return
      one.looked = performance.now() + LOOKED
      if (!waiting.delete(one)) return
      first.add(one)
      drain()
    },
    /** Forgets a device. What is still under way for it is not reported. */
    stop,
    close(): void {
      for (const sn of [...watched.keys()]) stop(sn)
      clearTimeout(timer)
    }
  }
}
