// Polls the status of every accepted device that is online.
import { DEVICE_BUSY, SUCCESS } from '../../contract/codes.ts'
import { DEVICE_WARNING_BITS } from '../../contract/device/status.ts'
import { LinkError } from '../../device-link/link-error.ts'
import { logger } from '../../process-log/logger.ts'
import type { Adapter, Observation, StatusReading } from './adapters/adapter.ts'
import { adapterOf } from './adapters/generations.ts'
import type { DeviceLinks } from './link/links.ts'
import { createSampleRecorder } from './samples.ts'

export interface StatusPollerOptions {
  links: Pick<DeviceLinks, 'request'>
  onObservation(sn: string, observation: Observation): void
  /**
   * Milliseconds from one poll of a device to the next, varied by a tenth so that polls do not coincide. Longer with
   * many devices, for a device that responds slowly, and after each failed poll.
   */
  interval?: number
  /**
   * Maximum number of polls per second of all devices together. With more devices, each is polled less often, in turn.
   */
  pollsPerSecond?: number
  /** Milliseconds to wait for a response. */
  timeout?: number
  /**
   * Maximum number of polls at the same time. At most half of them are of devices that did not respond to the last
   * poll.
   */
  inFlightMax?: number
}

interface PolledDevice {
  sn: string
  adapter: Adapter
  recordSamples: ReturnType<typeof createSampleRecorder>
  /** Number of failed polls since the last successful one. */
  failures: number
  /** Milliseconds of the last response, and of the one before. */
  responseTimes: readonly [number, number]
  /** Warnings in the last observation. */
  warns: number
  /** Time at which the next poll was due, as of `performance.now()`. */
  dueAt: number
  timer?: NodeJS.Timeout
  hasBeenPolled: boolean
  /** Time until which the device is polled with priority, as of `performance.now()`. */
  prioritizedUntil: number
  /** The poll in progress. */
  polling?: Promise<void>
}

/** Maximum size in bytes of a status. Real devices respond with 7 KB. */
const RESPONSE_MAX = 128 << 10
/** Milliseconds until the queues are checked again if `pollsPerSecond` is used up. */
const RECHECK_DELAY = 20
/** Seconds of unused `pollsPerSecond` that may be caught up in a burst. */
const BURST = 0.25
/** Milliseconds for which a device is polled with priority after a client viewed it. */
const PRIORITY_PERIOD = 10_000
/** Number of consecutive failures after which the last status is considered outdated. */
const OUTDATED_AFTER = 3

/** Longest time in milliseconds from one poll to the next. */
const INTERVAL_MAX = 30_000
/** A device spends at most this share of its time on polls. */
const BUSY_SHARE = 0.2
/** Stands for the response to a poll that was not sent, because the device is busy with another request of the hub. */
const NOT_POLLED = Symbol('not polled')

/** The state of a device whose firmware does not have the status request. */
const UNSUPPORTED_FIRMWARE: StatusReading = { status: {}, warns: DEVICE_WARNING_BITS.firmwareUnsupported }

/** Some methods are arrow functions, because they are passed on as callbacks. */
export class StatusPoller {
  readonly #options: Required<StatusPollerOptions>
  readonly #devices = new Map<string, PolledDevice>()
  /**
   * Devices that are due, in order. The priority queue has devices that were never polled or that a client views.
   * Devices whose last poll failed have a separate queue, so that many unresponsive devices do not delay the others.
   */
  readonly #priorityQueue = new Set<PolledDevice>()
  readonly #regularQueue = new Set<PolledDevice>()
  readonly #failedQueue = new Set<PolledDevice>()
  #inFlight = 0
  /** Number of polls in progress of devices whose last poll failed. */
  #failedInFlight = 0
  /** Token bucket for `pollsPerSecond`, and the time at which it was last refilled. */
  #tokens: number
  #refilledAt = performance.now()
  #recheckTimer: NodeJS.Timeout | undefined

  constructor(options: StatusPollerOptions) {
    this.#options = { interval: 2000, pollsPerSecond: 400, timeout: 4000, inFlightMax: 400, ...options }
    this.#tokens = this.#options.pollsPerSecond * BURST
  }

  /** Starts polling a device. Does nothing if it is polled already, or if its API is not known. */
  start(sn: string, api: string): void {
    const adapter = adapterOf(api)
    if (!adapter || this.#devices.get(sn)?.adapter === adapter) return
    this.stop(sn)
    const device: PolledDevice = {
      sn,
      adapter,
      recordSamples: createSampleRecorder(),
      failures: 0,
      responseTimes: [0, 0],
      warns: 0,
      dueAt: 0,
      hasBeenPolled: false,
      prioritizedUntil: 0
    }
    this.#devices.set(sn, device)
    this.#enqueue(device)
  }

  /** Stops polling a device. The result of a poll in progress is dropped. */
  stop(sn: string): void {
    const device = this.#devices.get(sn)
    if (!device) return
    this.#dequeue(device)
    this.#devices.delete(sn)
  }

  /**
   * Polls a device at once, out of turn. Resolves when its observation has been reported or the poll failed. Never
   * rejects.
   */
  readonly pollNow = async (sn: string): Promise<void> => {
    const device = this.#devices.get(sn)
    // The response to a poll in progress may have been sent before the event that the caller wants to observe.
    await device?.polling
    if (!device || this.#devices.get(sn) !== device) return
    this.#dequeue(device)
    await (device.polling ?? this.#startPoll(device))
  }

  /** Polls a device with priority for the next 10 s, because a client views it. */
  readonly prioritize = (sn: string): void => {
    const device = this.#devices.get(sn)
    if (!device) return
    device.prioritizedUntil = performance.now() + PRIORITY_PERIOD
    if (!this.#regularQueue.delete(device)) return
    this.#priorityQueue.add(device)
    this.#startDuePolls()
  }

  close(): void {
    for (const sn of [...this.#devices.keys()]) this.stop(sn)
    clearTimeout(this.#recheckTimer)
  }

  #enqueue(device: PolledDevice): void {
    device.dueAt = performance.now()
    const isRegular = device.hasBeenPolled && device.prioritizedUntil < device.dueAt
    const queue = device.failures > 0 ? this.#failedQueue : isRegular ? this.#regularQueue : this.#priorityQueue
    queue.add(device)
    this.#startDuePolls()
  }

  #dequeue(device: PolledDevice): void {
    clearTimeout(device.timer)
    for (const queue of [this.#priorityQueue, this.#regularQueue, this.#failedQueue]) queue.delete(device)
  }

  /** The device to poll next; undefined if none is due or the limit of concurrent polls is reached. */
  #nextDevice(): PolledDevice | undefined {
    const { inFlightMax } = this.#options
    if (this.#inFlight >= inFlightMax) return undefined
    const [prioritized] = this.#priorityQueue
    if (prioritized) return prioritized
    const [regular] = this.#regularQueue
    const [failed] = this.#failedQueue
    if (!failed || this.#failedInFlight >= inFlightMax / 2) return regular
    return regular && regular.dueAt <= failed.dueAt ? regular : failed
  }

  #startDuePolls(): void {
    this.#refillTokens()
    for (let device = this.#nextDevice(); device; device = this.#nextDevice()) {
      if (this.#tokens < 1) {
        this.#recheckTimer ??= setTimeout(() => {
          this.#recheckTimer = undefined
          this.#startDuePolls()
        }, RECHECK_DELAY)
        return
      }
      this.#tokens--
      this.#dequeue(device)
      void this.#startPoll(device)
    }
  }

  #refillTokens(): void {
    const { pollsPerSecond } = this.#options
    const now = performance.now()
    const refill = ((now - this.#refilledAt) / 1000) * pollsPerSecond
    this.#tokens = Math.min(pollsPerSecond * BURST, this.#tokens + refill)
    this.#refilledAt = now
  }

  #startPoll(device: PolledDevice): Promise<void> {
    const polling = this.#poll(device).finally(() => {
      if (device.polling === polling) device.polling = undefined
    })
    device.polling = polling
    return polling
  }

  async #poll(device: PolledDevice): Promise<void> {
    const failed = device.failures > 0 ? 1 : 0
    this.#inFlight++
    this.#failedInFlight += failed
    const startedAt = performance.now()
    const reading = await this.#requestStatus(device)
    const duration = performance.now() - startedAt
    this.#inFlight--
    this.#failedInFlight -= failed
    this.#startDuePolls()
    if (this.#devices.get(device.sn) !== device) return
    if (reading && reading !== NOT_POLLED) device.responseTimes = [duration, device.responseTimes[0]]
    // After a failure the whole interval passes, so that the device has time to recover.
    const elapsed = reading ? duration : 0
    const delay = this.#interval(device, reading !== undefined) * (0.9 + Math.random() / 5) - elapsed
    device.timer = setTimeout(() => this.#enqueue(device), Math.max(0, delay))
    device.hasBeenPolled = true
    if (reading === NOT_POLLED) return
    try {
      this.#report(device, reading)
    } catch (error) {
      // An error in the listener must not stop the polling.
      logger.error('Observation of a device failed', error, { sn: device.sn })
    }
  }

  /**
   * Milliseconds from the poll that has ended to the next one. One slow response alone does not change the pace.
   * @param hasSucceeded whether that poll has
   */
  #interval({ failures, responseTimes }: PolledDevice, hasSucceeded: boolean): number {
    const { interval } = this.#options
    const pace = hasSucceeded ? Math.min(...responseTimes) / BUSY_SHARE : interval * 2 ** failures
    return Math.max(interval, Math.min(INTERVAL_MAX, pace))
  }

  /** @returns undefined if the device did not respond, or not with a status */
  async #requestStatus({ sn, adapter }: PolledDevice): Promise<StatusReading | typeof NOT_POLLED | undefined> {
    const { links, timeout } = this.#options
    try {
      const { status, body } = await links.request(sn, { ...adapter.statusRequest, maxBody: RESPONSE_MAX }, timeout)
      if (status !== 200) return undefined
      const response: unknown = JSON.parse(body.toString())
      const isUnsupported = adapter.unsupportedCodes.includes(adapter.resultCode(response) ?? SUCCESS)
      return isUnsupported ? UNSUPPORTED_FIRMWARE : adapter.readStatus(response)
    } catch (error) {
      if (error instanceof LinkError && error.code === DEVICE_BUSY) return NOT_POLLED
      // No response and invalid JSON are faults of the device. Anything else is a bug in the hub.
      if (!(error instanceof LinkError || error instanceof SyntaxError))
        logger.error('Poll of a device failed', error, { sn })
      return undefined
    }
  }

  #report(device: PolledDevice, reading: StatusReading | undefined): void {
    if (reading) {
      device.failures = 0
      device.warns = reading.warns
      // Samples of an earlier firmware are no longer current.
      if (reading === UNSUPPORTED_FIRMWARE) device.recordSamples = createSampleRecorder()
      this.#options.onObservation(device.sn, device.recordSamples(reading))
      return
    }
    if (++device.failures !== OUTDATED_AFTER) return
    device.recordSamples = createSampleRecorder()
    // The warnings stay: a missing response does not mean that their cause has been removed.
    this.#options.onObservation(device.sn, { status: {}, warns: device.warns })
  }
}
