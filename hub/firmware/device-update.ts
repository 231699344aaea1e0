// Updates the firmware of one device: uploads the file, starts the installation, and follows it until the device
// reports the new version.
import {
  CLIENT_NOT_EXIST,
  CLIENT_OFFLINE,
  CONN_RESET,
  DEVICE_LOST,
  INVALID_DATA,
  NOT_EXIST,
  SUCCESS,
  TARGET_TIMEOUT,
  TIMEOUT,
  UNSUPPORTED,
  VERIFY_FAILED
} from '../../contract/codes.ts'
import { DEVICE_UPDATE_STATE } from '../../contract/rollout.ts'
import { LinkError } from '../../device-link/link-error.ts'
import type { DeviceRequest } from '../../device-link/request.ts'
import { type UpgradeAdapter, type UpgradeProgress, upgradeAdapterOf } from '../devices/adapters/upgrade.ts'
import type { DeviceLinks } from '../devices/link/links.ts'

/** Milliseconds. */
export interface UpdateTiming {
  /** Between progress requests during installation and restart. */
  pollInterval: number
  /** Without progress of the upload. */
  stallTimeout: number
  /** For a response. */
  responseTimeout: number
  /** For the whole installation. */
  installTimeout: number
  /** From the loss of the link until the device reconnects. */
  reconnectTimeout: number
  /**
   * For a device that is offline when its turn comes: it may be about to connect, above all after a restart of the hub.
   */
  offlineGrace: number
  /** For a device that has installed the firmware to restart by itself; then the hub sends a reboot request. */
  restartDelay: number
}

export const UPDATE_TIMING: UpdateTiming = {
  pollInterval: 500,
  stallTimeout: 20_000,
  responseTimeout: 15_000,
  installTimeout: 15 * 60_000,
  reconnectTimeout: 5 * 60_000,
  offlineGrace: 30_000,
  restartDelay: 3000
}

/** Consecutive failed progress requests after which the update fails. */
const FAILED_POLLS_MAX = 5
/** Consecutive progress responses without an installation after which the update fails. */
const IDLE_POLLS_MAX = 4
/** Bytes of a response. */
const RESPONSE_MAX = 256 << 10

interface UpdateContext {
  links: Pick<DeviceLinks, 'request' | 'upload'>
  /** A number that identifies the current link of a device; 0 = offline. */
  linkIdOf(sn: string): number
  /** The firmware version that a device last reported. */
  versionOf(sn: string): string | undefined
  /** Undefined for an unknown device. */
  apiOf(sn: string): string | undefined
  timing: UpdateTiming
}

export interface UpdateTask {
  sn: string
  file: { path: string; name: string; size: number }
  /** Version of the file. */
  version: string
  /** Called at each step (`DEVICE_UPDATE_STATE`), and with the progress of the step in percent. */
  report(state: number, percent: number): void
  signal: AbortSignal
}

/** The update of a device failed. `code` is a result code. */
export class UpdateFailed extends Error {
  readonly code: number
  constructor(code: number) {
    super(`The device update failed: result code ${code}.`)
    this.code = code
  }
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }, milliseconds)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** All methods reject with `UpdateFailed`, or with the reason of the task's signal. */
export class DeviceUpdater {
  readonly #context: UpdateContext

  constructor(context: UpdateContext) {
    this.#context = context
  }

  /**
   * Waits until a device is online.
   * @param isResumed whether its update was interrupted by a restart of the hub: then it may take as long as a restart
   * of the device
   */
  async waitForDevice(sn: string, isResumed: boolean, signal: AbortSignal): Promise<void> {
    const { offlineGrace, reconnectTimeout } = this.#context.timing
    this.#adapterOf(sn)
    await this.#waitForNewLink(sn, 0, isResumed ? reconnectTimeout : offlineGrace, signal)
  }

  /** Updates a device. Resolves when it reports the new version. */
  async update(task: UpdateTask): Promise<void> {
    await this.#upload(task)
    const link = this.#context.linkIdOf(task.sn)
    await this.#startInstallation(task)
    await this.#finish(task, link)
  }

  /**
   * Continues an update after a restart of the hub.
   * @param state the step at which it was interrupted
   * @param from the version of the device before the update
   * @param mayRestart whether the update may start again if the device is not installing
   */
  async resume(task: UpdateTask, state: number, from: string, mayRestart: boolean): Promise<void> {
    const { timing, versionOf } = this.#context
    const { sn, version, report, signal } = task
    const link = await this.#waitForNewLink(sn, 0, timing.reconnectTimeout, signal)
    if (from !== version && versionOf(sn) === version) return
    if (state !== DEVICE_UPDATE_STATE.updating) {
      const progress = await this.#readProgress(sn)
      // A device that does not answer may be about to restart with the new version.
      if (typeof progress === 'number') return this.#finish(task, link)
      if (progress.step === 'installing' || progress.step === 'restart') {
        report(DEVICE_UPDATE_STATE.installing, Math.round(progress.percent))
        return this.#finish(task, link)
      }
      if (from === version && state === DEVICE_UPDATE_STATE.restarting) return
    }
    if (!mayRestart) throw new UpdateFailed(VERIFY_FAILED)
    await this.update(task)
  }

  #adapterOf(sn: string): UpgradeAdapter {
    const api = this.#context.apiOf(sn)
    if (api === undefined) throw new UpdateFailed(CLIENT_NOT_EXIST)
    const adapter = upgradeAdapterOf(api)
    if (!adapter) throw new UpdateFailed(UNSUPPORTED)
    return adapter
  }

  /** @returns the parsed response; undefined if it is not JSON */
  async #request(sn: string, request: DeviceRequest): Promise<unknown> {
    const { links, timing } = this.#context
    const { body } = await links.request(sn, { ...request, maxBody: RESPONSE_MAX }, timing.responseTimeout)
    return parseJson(body)
  }

  /** The result code for a failed request. @throws the error itself if it is not a `LinkError` */
  #codeOf(sn: string, error: unknown): number {
    if (!(error instanceof LinkError)) throw error
    if (error.code === CLIENT_OFFLINE || this.#context.linkIdOf(sn) === 0) return CONN_RESET
    return error.code === TARGET_TIMEOUT ? TIMEOUT : error.code
  }

  async #upload({ sn, file, report, signal }: UpdateTask): Promise<void> {
    const { links, linkIdOf, timing } = this.#context
    const adapter = this.#adapterOf(sn)
    if (linkIdOf(sn) === 0) throw new UpdateFailed(DEVICE_LOST)
    report(DEVICE_UPDATE_STATE.updating, 0)
    let result: number | undefined
    try {
      const { body } = await links.upload(
        sn,
        { path: adapter.uploadPath, file: file.path, size: file.size, name: file.name },
        {
          stallTimeout: timing.stallTimeout,
          responseTimeout: timing.responseTimeout,
          signal,
          onProgress: (bytes) =>
            report(DEVICE_UPDATE_STATE.updating, Math.floor((100 * bytes) / Math.max(1, file.size)))
        }
      )
      result = adapter.resultCode(parseJson(body))
    } catch (error) {
      if (signal.aborted) throw error
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new UpdateFailed(NOT_EXIST)
      throw new UpdateFailed(this.#codeOf(sn, error))
    }
    if (result !== SUCCESS) throw new UpdateFailed(result ?? INVALID_DATA)
  }

  async #startInstallation({ sn, report }: UpdateTask): Promise<void> {
    const adapter = this.#adapterOf(sn)
    const response = await this.#request(sn, adapter.startRequest).catch((error) => {
      throw new UpdateFailed(this.#codeOf(sn, error))
    })
    const result = adapter.resultCode(response)
    if (result !== SUCCESS) throw new UpdateFailed(result ?? INVALID_DATA)
    report(DEVICE_UPDATE_STATE.installing, 0)
  }

  /** Requests the progress once. @returns a result code if the request failed */
  async #readProgress(sn: string): Promise<UpgradeProgress | number> {
    const adapter = this.#adapterOf(sn)
    try {
      return adapter.readProgress(await this.#request(sn, adapter.progressRequest)) ?? INVALID_DATA
    } catch (error) {
      return this.#codeOf(sn, error)
    }
  }

  /** Follows the installation and the restart of the device, until it reports the new version. */
  async #finish(task: UpdateTask, firstLink: number): Promise<void> {
    const { timing, versionOf } = this.#context
    const { sn, version, report, signal } = task
    for (let link = firstLink; ; ) {
      await this.#followInstallation(task, link)
      report(DEVICE_UPDATE_STATE.restarting, 0)
      link = await this.#waitForNewLink(sn, link, timing.reconnectTimeout, signal)
      if (versionOf(sn) === version) return
      // The link may have been lost for another reason, while the installation continues.
      const progress = await this.#readProgress(sn)
      if (typeof progress === 'number' || progress.step === 'idle') throw new UpdateFailed(VERIFY_FAILED)
      if (progress.step === 'failed') throw new UpdateFailed(progress.code)
      report(DEVICE_UPDATE_STATE.installing, Math.round(progress.percent))
    }
  }

  /**
   * Polls the progress of the installation until the link is lost. Sends a reboot request if the device waits for one.
   */
  async #followInstallation({ sn, report, signal }: UpdateTask, link: number): Promise<void> {
    const { linkIdOf, timing } = this.#context
    const deadline = performance.now() + timing.installTimeout
    let failedPolls = 0
    let idlePolls = 0
    let installedAt: number | undefined
    while (linkIdOf(sn) === link) {
      if (performance.now() > deadline) throw new UpdateFailed(TIMEOUT)
      await sleep(timing.pollInterval, signal)
      if (linkIdOf(sn) !== link) return
      const progress = await this.#readProgress(sn)
      if (linkIdOf(sn) !== link) return
      if (typeof progress === 'number') {
        if (++failedPolls >= FAILED_POLLS_MAX) throw new UpdateFailed(progress)
        continue
      }
      failedPolls = 0
      idlePolls = progress.step === 'idle' ? idlePolls + 1 : 0
      if (progress.step === 'failed') throw new UpdateFailed(progress.code)
      if (progress.step === 'installing') report(DEVICE_UPDATE_STATE.installing, Math.round(progress.percent))
      if (idlePolls >= IDLE_POLLS_MAX) throw new UpdateFailed(INVALID_DATA)
      if (progress.step !== 'restart') continue
      report(DEVICE_UPDATE_STATE.restarting, 0)
      installedAt ??= performance.now()
      if (performance.now() - installedAt < timing.restartDelay) continue
      // Sent once. The response is ignored, because the loss of the link shows the restart.
      installedAt = Number.POSITIVE_INFINITY
      await this.#request(sn, this.#adapterOf(sn).rebootRequest).catch((error) => this.#codeOf(sn, error))
    }
  }

  /** Waits until the device has a link other than `link`. @returns its ID */
  async #waitForNewLink(sn: string, link: number, timeout: number, signal: AbortSignal): Promise<number> {
    const { linkIdOf, apiOf, timing } = this.#context
    const deadline = performance.now() + timeout
    for (;;) {
      const current = linkIdOf(sn)
      if (current !== 0 && current !== link) return current
      if (apiOf(sn) === undefined) throw new UpdateFailed(CLIENT_NOT_EXIST)
      if (performance.now() > deadline) throw new UpdateFailed(DEVICE_LOST)
      await sleep(timing.pollInterval, signal)
    }
  }
}
