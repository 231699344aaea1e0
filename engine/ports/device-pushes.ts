// Devices that are ordered to push to the shared RTMP port. Each order has a stream key of its own, which no other
// client knows.
import { randomBytes } from 'node:crypto'
import type { Publisher } from '../interfaces/leg-parts.ts'

/** Revoked keys that are remembered: a device that still uses one does not guess keys. */
const REVOKED_MAX = 1000

export interface DevicePush {
  key: string
  /** Name of the stream inside nginx. */
  stream: string
  /** Called each time that the device has connected. */
  onPublisher(publisher: Publisher): void
  /** Client ID at the port while the device is connected. */
  client?: number
}

export class DevicePushes {
  readonly #pushes = new Map<string, DevicePush>()
  readonly #revoked = new Set<string>()
  #count = 0

  get size(): number {
    return this.#pushes.size
  }

  add(onPublisher: DevicePush['onPublisher']): DevicePush {
    const push = { key: `DEV-${randomBytes(18).toString('base64url')}`, stream: `device-${++this.#count}`, onPublisher }
    this.#pushes.set(push.key, push)
    return push
  }

  byKey(key: string): DevicePush | undefined {
    return this.#pushes.get(key)
  }

  byStream(stream: string): DevicePush | undefined {
    return [...this.#pushes.values()].find((push) => push.stream === stream)
  }

  /** Whether a key was valid once. */
  isRevoked(key: string): boolean {
    return this.#revoked.has(key)
  }

  revoke(key: string): void {
    if (!this.#pushes.delete(key)) return
    this.#revoked.add(key)
    if (this.#revoked.size > REVOKED_MAX) this.#revoked.delete(this.#revoked.values().next().value ?? '')
  }
}
