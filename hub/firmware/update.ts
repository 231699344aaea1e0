// The update of one device, from the first byte of the file to the word of the device itself that it has the new version.
import {
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
import type { DeviceHello } from '../../contract/device/link.ts'
import { UPDATE } from '../../contract/firmware.ts'
import { UPGRADES, type Upgrade, type UpgradeReading } from '../devices/adapters/upgrade.ts'
import { LinkError } from '../devices/link/link-error.ts'
import type { DeviceLinks } from '../devices/link/links.ts'
import type { DeviceRequest } from '../devices/link/request.ts'

/** Milliseconds. */
export interface UpdateTiming {
  /** Between looks at a device that installs or restarts. */
  look: number
  /** Without a byte taken, and for an answer. */
  stall: number
  answer: number
  /** For the whole installation, and from the loss of the link to the return. */
  install: number
  back: number
  /** For a device that is away when its turn comes: it may be about to dial in again, above all after a restart of the hub. */
  grace: number
  /** That a device which has all written may take to restart by itself, before it is told to. */
  linger: number
}

export const TIMING: UpdateTiming = {
  look: 500,
  stall: 20_000,
  answer: 15_000,
  install: 15 * 60_000,
  back: 5 * 60_000,
  grace: 30_000,
  linger: 3000
}

/** Looks in a row that bring nothing before it is given up. */
const SILENCES = 5
/** Looks in a row at which a device that was told to begin has not begun. */
const IDLES = 4

export interface UpdateSurroundings {
  links: Pick<DeviceLinks, 'request' | 'upload'>
  /** What tells one link of a device from the next; 0 = it has none. */
  linkOf(sn: string): number
  /** The version that a device said last. */
  versionOf(sn: string): string | undefined
  apiOf(sn: string): DeviceHello['api'] | undefined
  timing: UpdateTiming
}

export interface UpdateTask {
  sn: string
  file: { path: string; name: string; size: number }
  /** The version that it brings. */
  version: string
  /** Called at each step (`UPDATE`) and as it goes on, with percent of the step. */
  report(state: number, percent: number): void
  signal: AbortSignal
}

/** The device is not updated. The code says why. */
export class UpdateFailed extends Error {
  readonly code: number
  constructor(code: number) {
    super(`update: ${code}`)
    this.code = code
  }
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborted = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', aborted)
      resolve()
    }, milliseconds)
    if (signal.aborted) aborted()
    else signal.addEventListener('abort', aborted, { once: true })
  })
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

export function createUpdater(surroundings: UpdateSurroundings) {
  const { links, linkOf, versionOf, apiOf, timing } = surroundings

  function upgradeOf(sn: string): Upgrade {
    const api = apiOf(sn)
    if (api === undefined) throw new UpdateFailed(NOT_EXIST)
    const upgrade = UPGRADES[api]
    if (!upgrade) throw new UpdateFailed(UNSUPPORTED)
    return upgrade
  }

  const ask = (sn: string, call: DeviceRequest) =>
    links.request(sn, { ...call, maxBody: 256 << 10 }, timing.answer).then(({ status, body }) => ({
      status,
      answer: parsed(body)
    }))

  /** What went wrong with a call, as a reason. @throws what is no failure of the device's */
  function reasonOf(sn: string, error: unknown): number {
    if (!(error instanceof LinkError)) throw error
    if (error.code === CLIENT_OFFLINE || linkOf(sn) === 0) return CONN_RESET
    return error.code === TARGET_TIMEOUT ? TIMEOUT : error.code
  }

  async function send({ sn, file, report, signal }: UpdateTask): Promise<void> {
    const upgrade = upgradeOf(sn)
    if (linkOf(sn) === 0) throw new UpdateFailed(DEVICE_LOST)
    report(UPDATE.updating, 0)
    let result: number | undefined
    try {
      const { body } = await links.upload(
        sn,
        { path: upgrade.path, file: file.path, size: file.size, name: file.name },
        {
          stall: timing.stall,
          answer: timing.answer,
          signal,
          sent: (bytes) => report(UPDATE.updating, Math.floor((100 * bytes) / Math.max(1, file.size)))
        }
      )
      result = upgrade.result(parsed(body))
    } catch (error) {
      if (signal.aborted) throw error
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new UpdateFailed(NOT_EXIST)
      throw new UpdateFailed(reasonOf(sn, error))
    }
    if (result !== SUCCESS) throw new UpdateFailed(result ?? INVALID_DATA)
  }

  async function begin({ sn, report }: UpdateTask): Promise<void> {
    const upgrade = upgradeOf(sn)
    const { answer } = await ask(sn, upgrade.start).catch((error) => {
      throw new UpdateFailed(reasonOf(sn, error))
    })
    const result = upgrade.result(answer)
    if (result !== SUCCESS) throw new UpdateFailed(result ?? INVALID_DATA)
    report(UPDATE.installing, 0)
  }

  /** One look; a number says that there was no answer, and why. */
  async function look(sn: string): Promise<UpgradeReading | number> {
    const upgrade = upgradeOf(sn)
    try {
      const { answer } = await ask(sn, upgrade.progress)
      return upgrade.read(answer) ?? INVALID_DATA
    } catch (error) {
      return reasonOf(sn, error)
    }
  }

  /** Follows an installation until the link goes. @returns when it has */
  async function follow(task: UpdateTask, link: number): Promise<void> {
    const { sn, report, signal } = task
    const deadline = performance.now() + timing.install
    let silences = 0
    let idles = 0
    let written: number | undefined
    while (linkOf(sn) === link) {
      if (performance.now() > deadline) throw new UpdateFailed(TIMEOUT)
      await sleep(timing.look, signal)
      if (linkOf(sn) !== link) return
      const reading = await look(sn)
      if (linkOf(sn) !== link) return
      if (typeof reading === 'number') {
        if (++silences >= SILENCES) throw new UpdateFailed(reading)
        continue
      }
      silences = 0
      if (reading.step === 'failed') throw new UpdateFailed(reading.code)
      if (reading.step === 'installing') report(UPDATE.installing, Math.round(reading.percent))
      if (reading.step === 'idle' && ++idles >= IDLES) throw new UpdateFailed(INVALID_DATA)
      if (reading.step !== 'idle') idles = 0
      if (reading.step !== 'restart') continue
      report(UPDATE.restarting, 0)
      written ??= performance.now()
      if (performance.now() - written < timing.linger) continue
      // It waits to be told. Its answer says nothing that its link does not say better.
      written = Number.POSITIVE_INFINITY
      await ask(sn, upgradeOf(sn).reboot).catch((error) => reasonOf(sn, error))
    }
  }

  /** Waits until the device has a link other than `link`. @returns that one @throws UpdateFailed when it does not come */
  async function linked(sn: string, link: number, within: number, signal: AbortSignal): Promise<number> {
    const deadline = performance.now() + within
    for (;;) {
      const now = linkOf(sn)
      if (now !== 0 && now !== link) return now
      if (apiOf(sn) === undefined) throw new UpdateFailed(NOT_EXIST)
      if (performance.now() > deadline) throw new UpdateFailed(DEVICE_LOST)
      await sleep(timing.look, signal)
    }
  }

  /** Goes on from the installation to the end. */
  async function finish(task: UpdateTask, from: number): Promise<void> {
    const { sn, version, report, signal } = task
    for (let link = from; ; ) {
      await follow(task, link)
      report(UPDATE.restarting, 0)
      link = await linked(sn, link, timing.back, signal)
      if (versionOf(sn) === version) return
      // The link may have gone for a reason of its own, with the installation going on behind it.
      const reading = await look(sn)
      if (typeof reading === 'number' || reading.step === 'idle') throw new UpdateFailed(VERIFY_FAILED)
      if (reading.step === 'failed') throw new UpdateFailed(reading.code)
      report(UPDATE.installing, Math.round(reading.percent))
    }
  }

  async function update(task: UpdateTask): Promise<void> {
    await send(task)
    const link = linkOf(task.sn)
    await begin(task)
    await finish(task, link)
  }

  return {
    /**
     * Waits until the device has a link, so that what comes next need not.
     * @param resumed it was being updated when the hub went away
     * @throws UpdateFailed when it does not come
     */
    async reach(sn: string, resumed: boolean, signal: AbortSignal): Promise<void> {
      upgradeOf(sn)
      await linked(sn, 0, resumed ? timing.back : timing.grace, signal)
    },

    /** Updates a device. Resolves when it has said that it has the version. @throws UpdateFailed, or the reason of `signal` */
    update,

    /**
     * Goes on with an update after the hub was away, which began at `state` on a device that had the version `from`.
     * @param again whether it may be begun anew where the device knows nothing of it
     * @throws as `update`
     */
    async resume(task: UpdateTask, state: number, from: string, again: boolean): Promise<void> {
      const { sn, version, report, signal } = task
      const link = await linked(sn, 0, timing.back, signal)
      if (from !== version && versionOf(sn) === version) return
      if (state !== UPDATE.updating) {
        const reading = await look(sn)
        if (typeof reading !== 'number' && (reading.step === 'installing' || reading.step === 'restart')) {
          report(UPDATE.installing, Math.round(reading.percent))
          return finish(task, link)
        }
        if (from === version && state === UPDATE.restarting) return
      }
      if (!again) throw new UpdateFailed(VERIFY_FAILED)
      await update(task)
    }
  }
}

export type Updater = ReturnType<typeof createUpdater>
