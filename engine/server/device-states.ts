// Which devices are online, and which have no input signal, as far as the engine knows. The hub reports it, and the
// last report counts while the hub is away. A device whose link to the hub is lost counts as online as long as it still
// sends or plays a stream: a hub that was restarted, or did not run for a time, has lost the links of all devices, but
// not their streams.
import type { DeviceState } from '../interfaces/wire.ts'

interface DeviceStatesOptions {
  /** Whether the device sends a stream to the engine, or plays one. */
  isActive(sn: string): boolean
  /** The device went online or offline. */
  onChange(sn: string): void
}

export class DeviceStates {
  readonly #options: DeviceStatesOptions
  readonly #online = new Set<string>()
  /** Devices without a link that still send or play. */
  readonly #unlinked = new Set<string>()

  /** Devices that report that they have no signal at their own input. */
  readonly #withoutSignal = new Set<string>()

  constructor(options: DeviceStatesOptions) {
    this.#options = options
  }

  isOnline(sn: string): boolean {
    return this.#online.has(sn) || this.#unlinked.has(sn)
  }

  hasNoSignal(sn: string): boolean {
    return this.#withoutSignal.has(sn)
  }

  /** The hub reports whether a device has a signal at its own input. */
  setSignal(sn: string, hasSignal: boolean): void {
    if (hasSignal) this.#withoutSignal.delete(sn)
    else this.#withoutSignal.add(sn)
  }

  /** A hub that has connected reports all devices without a signal. */
  replaceWithoutSignal(serials: Iterable<string>): void {
    this.#withoutSignal.clear()
    for (const sn of serials) this.#withoutSignal.add(sn)
  }

  /** The hub reports a device. */
  set(sn: string, state: DeviceState): void {
    const wasOnline = this.isOnline(sn)
    // Asked first, because a device that is offline is not active.
    const continues = state === 'offline' && wasOnline && this.#options.isActive(sn)
    this.#online.delete(sn)
    this.#unlinked.delete(sn)
    if (state === 'online') this.#online.add(sn)
    else if (continues) this.#unlinked.add(sn)
    if (this.isOnline(sn) !== wasOnline) this.#options.onChange(sn)
  }

  /** A hub that has connected reports all devices that are online. */
  replaceAll(online: Iterable<string>): void {
    const next = new Set(online)
    for (const sn of [...this.#online]) if (!next.has(sn)) this.set(sn, 'offline')
    for (const sn of next) this.set(sn, 'online')
  }

  /** Call about twice a second: a device without a link is offline as soon as its streams end. */
  tick(): void {
    for (const sn of [...this.#unlinked]) if (!this.#options.isActive(sn)) this.set(sn, 'offline')
  }
}
