// Client of systemd-timedated (https://www.freedesktop.org/software/systemd/man/org.freedesktop.timedate1.html), which
// sets the clock and the zone, and switches the synchronisation on and off.
import type { SystemService } from '../../messages/machine.ts'
import { plain } from '../network/network-manager.ts'
import { NOT_INTERACTIVE, type SystemBus } from '../system-bus.ts'

const NAME = 'org.freedesktop.timedate1'
const OBJECT = { destination: NAME, path: '/org/freedesktop/timedate1' }

export const TIMEDATED: SystemService = { name: 'systemd-timedated', package: 'systemd', unit: 'systemd-timedated' }

export class Timedated {
  readonly #bus: SystemBus

  constructor(bus: SystemBus) {
    this.#bus = bus
  }

  /** The bus starts the service when it is called, so that it need not run. */
  async isPresent(): Promise<boolean> {
    return (await this.#bus.stateOf(NAME)) !== 'missing'
  }

  /** @throws BusError */
  async read(): Promise<{ zone: string; isSyncEnabled: boolean }> {
    const request = { ...OBJECT, interface: 'org.freedesktop.DBus.Properties', member: 'GetAll', signature: 's' }
    const [properties] = await this.#bus.call({ ...request, body: [NAME] })
    const { Timezone: zone, NTP: isSyncEnabled } = plain(properties) as { Timezone: string; NTP: boolean }
    return { zone, isSyncEnabled }
  }

  setZone(zone: string): Promise<void> {
    return this.#call('SetTimezone', 'sb', zone)
  }

  setSync(isEnabled: boolean): Promise<void> {
    return this.#call('SetNTP', 'bb', isEnabled)
  }

  /** @param time milliseconds since the epoch */
  setClock(time: number): Promise<void> {
    const isRelative = false
    return this.#call('SetTime', 'xbb', BigInt(time) * 1000n, isRelative)
  }

  async #call(member: string, signature: string, ...values: unknown[]): Promise<void> {
    await this.#bus.call({ ...OBJECT, interface: NAME, member, signature, body: [...values, NOT_INTERACTIVE] })
  }
}
