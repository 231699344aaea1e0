// Runs rollouts: starts waves, updates the devices of a wave, and stops a rollout after too many failures. The state of
// each device is stored before the hub acts on it, so that an interrupted hub can continue.

import { NOT_EXIST, UNKNOWN_ERROR } from '../../contract/codes.ts'
import { LOG_ERROR, LOG_WARNING } from '../../contract/log.ts'
import { DEVICE_UPDATE_STATE } from '../../contract/rollout.ts'
import { logger } from '../../process-log/logger.ts'
import { createConcurrencyLimit } from '../devices/concurrency-limit.ts'
import type { FirmwareRow } from '../store/firmware.ts'
import type { RolloutDeviceRow, RolloutRow } from '../store/rollouts.ts'
import type { Store } from '../store/store.ts'
import { type DeviceUpdater, UpdateFailed, type UpdateTask } from './device-update.ts'

/** File uploads to devices at a time. */
const UPLOADS_MAX = 8
/** Times that the update of a device is started, if restarts of the hub interrupt it. */
const ATTEMPTS_MAX = 3
/** Milliseconds between reports of a device's progress to consoles. */
const REPORT_INTERVAL = 1000
/** Milliseconds after which a rollout whose state could not be stored is tried again. */
const RETRY_DELAY = 2000

interface RolloutOptions {
  store: Store
  updater: DeviceUpdater
  /** Path of a firmware file. */
  pathOf(file: string): string
  /** Milliseconds since the epoch. */
  now?: () => number
}

/** The update of a device that is in progress. */
interface RunningUpdate {
  /** Progress of the current step. */
  percent: number
  /** Time of the last report: milliseconds since the epoch. */
  reportedAt: number
}

const updateKey = (id: number, sn: string) => `${id} ${sn}`

const isFinished = ({ state }: RolloutRow) => state === 'done' || state === 'cancelled'

export class Rollouts {
  readonly #store: Store
  readonly #updater: DeviceUpdater
  readonly #pathOf: (file: string) => string
  readonly #now: () => number
  readonly #uploadLimit = createConcurrencyLimit(UPLOADS_MAX)
  readonly #closing = new AbortController()
  /** By rollout and serial number. */
  readonly #running = new Map<string, RunningUpdate>()

  constructor({ store, updater, pathOf, now = Date.now }: RolloutOptions) {
    this.#store = store
    this.#updater = updater
    this.#pathOf = pathOf
    this.#now = now
  }

  /** Continues the rollouts of a previous run of the hub. */
  start(): void {
    for (const { id } of this.#store.rollouts.unfinished()) this.resumeRollout(id)
  }

  /** Continues a rollout that was created, or changed in the store. Never throws. */
  resumeRollout(id: number): void {
    if (this.#closing.signal.aborted) return
    try {
      // Updates that have started are completed, even if the rollout is suspended.
      for (const device of this.#store.rollouts.startedDevices(id)) this.#startUpdate(id, device)
      this.#advance(id)
    } catch (error) {
      this.#retryLater(id, error)
    }
  }

  /** Progress in percent of the step at which a device is. */
  progressOf(id: number, sn: string): number {
    return this.#running.get(updateKey(id, sn))?.percent ?? 0
  }

  /** Aborts all updates. Their stored state stays, and the next run of the hub continues. */
  close(): void {
    this.#closing.abort(new Error('The hub is closing.'))
  }

  /** Does the next step of a rollout: ends it, stops it, or starts the next wave. */
  #advance(id: number): void {
    if (this.#closing.signal.aborted) return
    const { database, changes } = this.#store
    const devices = database.transaction(() => this.#nextStep(id))
    changes.markChanged('rollout', id)
    for (const device of devices) this.#startUpdate(id, device)
  }

  /** @returns the devices of the wave that starts */
  #nextStep(id: number): RolloutDeviceRow[] {
    const { rollouts } = this.#store
    const row = rollouts.byId(id)
    if (!row || isFinished(row)) return []
    const counts = rollouts.counts(id)
    if (counts.waiting + counts.active === 0) {
      rollouts.setState(id, counts.cancelled > 0 ? 'cancelled' : 'done', this.#now())
      return []
    }
    if (row.state !== 'running') return []
    if (row.stop_after > 0 && counts.failed - row.forgiven >= row.stop_after) {
      rollouts.suspend(id, 'stopped')
      const detail = `${row.product_name} ${row.version}`
      this.#store.logEvent({ event: 'rollout-stopped', detail, level: LOG_ERROR })
      return []
    }
    if (counts.started > 0) return []
    const devices = rollouts.nextWaiting(id, row.waves === 0 && row.first > 0 ? row.first : row.wave)
    rollouts.startWave(
      id,
      row.waves + 1,
      devices.map(({ sn }) => sn)
    )
    return devices
  }

  #startUpdate(id: number, device: RolloutDeviceRow): void {
    this.#runUpdate(id, device).catch((error) => this.#retryLater(id, error))
  }

  #retryLater(id: number, error: unknown): void {
    logger.error('Rollout failed and is retried', error, { id })
    setTimeout(() => this.resumeRollout(id), RETRY_DELAY).unref()
  }

  /** Updates a device, stores the result, and advances the rollout. */
  async #runUpdate(id: number, device: RolloutDeviceRow): Promise<void> {
    const { sn } = device
    const key = updateKey(id, sn)
    if (this.#running.has(key)) return
    this.#running.set(key, { percent: 0, reportedAt: 0 })
    let reason = 0
    try {
      if (!(await this.#updateDevice(id, device))) return
    } catch (error) {
      // The hub is closing: the update continues after its next start.
      if (this.#closing.signal.aborted) return
      if (!(error instanceof UpdateFailed)) logger.error('Update of a device failed', error, { sn })
      reason = error instanceof UpdateFailed ? error.code : UNKNOWN_ERROR
    } finally {
      this.#running.delete(key)
    }
    this.#storeResult(id, sn, reason)
    this.#markChanged(id, sn)
    this.#advance(id)
  }

  /** @param reason result code; 0 = the device was updated */
  #storeResult(id: number, sn: string, reason: number): void {
    const { database, rollouts, devices } = this.#store
    const { idle, failed } = DEVICE_UPDATE_STATE
    database.transaction(() => {
      rollouts.setDevice(id, sn, reason === 0 ? idle : failed, reason, this.#now())
      const version = rollouts.byId(id)?.version
      const name = devices.bySerial(sn)?.name ?? sn
      if (reason === 0) this.#store.logEvent({ event: 'firmware-updated', detail: `${name} ${version}`, sn })
      else this.#store.logEvent({ event: 'firmware-failed', detail: `${name} ${reason}`, level: LOG_WARNING, sn })
    })
  }

  #markChanged(id: number, sn: string): void {
    const { changes, devices } = this.#store
    changes.markChanged('rollout', id)
    const device = devices.bySerial(sn)
    if (device) changes.markChanged('device', device.id)
  }

  /** The device's row; undefined if the rollout was suspended or cancelled before the update of the device began. */
  #findStarted(id: number, sn: string): RolloutDeviceRow | undefined {
    const row = this.#store.rollouts.device(id, sn)
    const { waiting } = DEVICE_UPDATE_STATE
    return row && (row.state > waiting || (row.state === waiting && row.wave > 0)) ? row : undefined
  }

  /** @returns false if the update may not begin yet */
  async #updateDevice(id: number, { sn, state }: RolloutDeviceRow): Promise<boolean> {
    const { signal } = this.#closing
    try {
      await this.#updater.waitForDevice(sn, state > DEVICE_UPDATE_STATE.waiting, signal)
    } catch (error) {
      if (!signal.aborted && !this.#findStarted(id, sn)) return false
      throw error
    }
    const release = await this.#uploadLimit.acquire()
    try {
      if (signal.aborted) throw signal.reason
      const rollout = this.#store.rollouts.byId(id)
      const device = this.#findStarted(id, sn)
      if (!rollout || !device) return false
      await this.#transfer(rollout, device, release)
      return true
    } finally {
      release()
    }
  }

  /**
   * Starts or resumes the update of a device that is online.
   * @param release called when the upload is complete, so that the next one may start
   */
  async #transfer(rollout: RolloutRow, device: RolloutDeviceRow, release: () => void): Promise<void> {
    const { database, firmware, rollouts } = this.#store
    const { id } = rollout
    const { sn } = device
    const isResumed = device.state > DEVICE_UPDATE_STATE.waiting
    const file = firmware.byId(rollout.firmware_id)
    if (!file) throw new UpdateFailed(NOT_EXIST)
    const firstState = isResumed ? device.state : DEVICE_UPDATE_STATE.updating
    const task: UpdateTask = {
      sn,
      file: { path: this.#pathOf(file.file), name: vendorFileName(file), size: file.size },
      version: rollout.version,
      signal: this.#closing.signal,
      report: this.#createReporter(id, sn, firstState, release)
    }
    database.transaction(() => rollouts.startDevice(id, sn, device.started || this.#now()))
    this.#markChanged(id, sn)
    if (isResumed) await this.#updater.resume(task, device.state, device.from_ver, device.attempts < ATTEMPTS_MAX)
    else await this.#updater.update(task)
  }

  /** @returns a function which stores a new step at once, and reports progress at most once a second */
  #createReporter(id: number, sn: string, firstState: number, release: () => void): UpdateTask['report'] {
    const { database, rollouts } = this.#store
    let lastState = firstState
    return (state, percent) => {
      if (state !== DEVICE_UPDATE_STATE.updating) release()
      const running = this.#running.get(updateKey(id, sn))
      if (running) running.percent = percent
      if (state !== lastState) {
        lastState = state
        database.transaction(() => rollouts.setDevice(id, sn, state))
      } else if (!running || this.#now() - running.reportedAt < REPORT_INTERVAL) return
      if (running) running.reportedAt = this.#now()
      this.#markChanged(id, sn)
    }
  }
}

/** The file name sent to the device, in the format of the vendor's files. */
function vendorFileName({ model, hardware_ver: hardware, major, minor, build }: FirmwareRow): string {
  return `${model}_rev_${hardware.toLowerCase()}_${major}_${minor}_${build}.mwf`
}
