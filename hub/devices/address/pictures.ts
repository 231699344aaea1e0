// Pictures of devices at addresses and of the cameras of inputs: fetches a picture while somebody looks, one at a time,
// and more slowly if the device is slow. All who look share one request.
import type { DeviceRequest, DeviceResponse } from '../../../device-link/request.ts'

/** Why there is no picture: no answer, an answer without a picture, or a picture of the past. */
export type PictureFault = 'silent' | 'none' | 'outdated'

/** Fetches a picture. @param key names the device or input @returns undefined if there is nothing to ask for */
type FetchPicture = (key: string) => Promise<Uint8Array | PictureFault | undefined>

interface SnapshotOptions {
  /** Sends a request to a device. @throws LinkError */
  request(sn: string, call: DeviceRequest, timeout: number): Promise<DeviceResponse>
  /** Path of the picture; undefined while the device is offline or has none. */
  snapshotPath(sn: string): string | undefined
}

interface PicturedDevice {
  listeners: Set<(jpeg: Uint8Array) => void>
  timer?: NodeJS.Timeout
  /** Number of requests without a picture since the last picture. */
  failures: number
  fault?: PictureFault | undefined
}

/** Milliseconds from one request to the next, at least. */
const INTERVAL = 2000
/** At most, of a device that is slow or does not respond with a picture. */
const LONGEST_INTERVAL = 30_000
/** A device spends at most this share of its time on pictures. */
const BUSY_SHARE = 0.2
/** Milliseconds to wait for a picture, including those in which other requests are answered. */
const TIMEOUT = 8000
/** Maximum size in bytes of a picture. */
const PICTURE_MAX = 4 << 20
/** Milliseconds by the clock of the device after which a picture counts as outdated, and is not shown. */
const AGE_MAX = 10_000

/** Whether a body is a JPEG image. */
export const isJpeg = (body: Buffer): boolean =>
  body.length > 4 && body[0] === 0xff && body[1] === 0xd8 && body[2] === 0xff

/** Age of a picture in milliseconds by the clock of the device; undefined if the device does not report it. */
function ageOf({ headers }: DeviceResponse): number | undefined {
  const [modified, sent] = [headers['last-modified'], headers.date].map((time) => Date.parse(time ?? ''))
  const age = (sent ?? Number.NaN) - (modified ?? Number.NaN)
  return Number.isNaN(age) ? undefined : age
}

/** Fetches the snapshots of the vendor's devices. */
export function createSnapshotFetcher({ request, snapshotPath }: SnapshotOptions): FetchPicture {
  return async (sn) => {
    const path = snapshotPath(sn)
    if (path === undefined) return undefined
    const response = await request(sn, { method: 'GET', path, maxBody: PICTURE_MAX, isQuick: true }, TIMEOUT)
    const { status, body } = response
    if (status !== 200 || !isJpeg(body)) return 'none'
    return (ageOf(response) ?? 0) <= AGE_MAX ? body : 'outdated'
  }
}

export class AddressedPictures {
  readonly #fetchPicture: FetchPicture
  readonly #onFaultChanged: (key: string) => void
  readonly #devices = new Map<string, PicturedDevice>()

  /** @param onFaultChanged is called when the fault of a device begins, ends or is another one */
  constructor(fetchPicture: FetchPicture, onFaultChanged: (key: string) => void = () => {}) {
    this.#fetchPicture = fetchPicture
    this.#onFaultChanged = onFaultChanged
  }

  /** As `DeviceLinks.subscribePreviews`. The size and the rate of the pictures are those of the device. */
  subscribe(sn: string, onPicture: (jpeg: Uint8Array) => void): () => void {
    const device = this.#devices.get(sn) ?? { listeners: new Set(), failures: 0 }
    // A listener of its own for each subscription, because a function may subscribe twice.
    const listener = (jpeg: Uint8Array) => onPicture(jpeg)
    device.listeners.add(listener)
    if (!this.#devices.has(sn)) {
      this.#devices.set(sn, device)
      void this.#fetch(sn, device)
    }
    return () => {
      device.listeners.delete(listener)
      if (device.listeners.size === 0) this.#stop(sn, device)
    }
  }

  /** Why there is no picture of a device, while somebody looks at it; undefined if there is one. */
  faultOf(sn: string): PictureFault | undefined {
    return this.#devices.get(sn)?.fault
  }

  close(): void {
    for (const [sn, device] of this.#devices) this.#stop(sn, device)
  }

  #stop(sn: string, device: PicturedDevice): void {
    clearTimeout(device.timer)
    if (this.#devices.get(sn) === device) this.#devices.delete(sn)
  }

  async #fetch(sn: string, device: PicturedDevice): Promise<void> {
    const startedAt = performance.now()
    const answer = await this.#fetchPicture(sn).catch(() => 'silent' as const)
    if (this.#devices.get(sn) !== device) return
    const duration = performance.now() - startedAt
    const picture = typeof answer === 'object' ? answer : undefined
    const fault = typeof answer === 'object' ? undefined : answer
    if (device.fault !== fault) {
      device.fault = fault
      this.#onFaultChanged(sn)
    }
    device.failures = picture ? 0 : device.failures + 1
    if (picture) for (const listener of [...device.listeners]) listener(picture)
    const pace = picture ? duration / BUSY_SHARE : INTERVAL * 2 ** device.failures
    const wait = Math.max(INTERVAL, Math.min(LONGEST_INTERVAL, pace)) - duration
    device.timer = setTimeout(() => this.#fetch(sn, device), Math.max(INTERVAL / 2, wait))
  }
}
