// The host name of the machine, set through systemd-hostnamed
// (https://www.freedesktop.org/software/systemd/man/org.freedesktop.hostname1.html).
import { hostname } from 'node:os'
import type { MachineAccess, MachineMode } from '../../contract/machine/machine.ts'
import type { Language } from '../messages/language.ts'
import type { SystemService } from '../messages/machine.ts'
import { describeAccess } from './machine-access.ts'
import { NOT_INTERACTIVE, type SystemBus } from './system-bus.ts'

const NAME = 'org.freedesktop.hostname1'

const HOSTNAMED: SystemService = { name: 'systemd-hostnamed', package: 'systemd', unit: 'systemd-hostnamed' }

export class HostName {
  readonly #bus: SystemBus
  readonly #mode: MachineMode
  readonly #readName: () => string

  /** @param readName reads the host name from the kernel; for tests */
  constructor({ mode, bus, readName = hostname }: { mode: MachineMode; bus: SystemBus; readName?: () => string }) {
    this.#bus = bus
    this.#mode = mode
    this.#readName = readName
  }

  async describeAccess(language: Language): Promise<MachineAccess> {
    return describeAccess(language, this.#mode, HOSTNAMED, (await this.#isPresent()) ? undefined : 'missing')
  }

  /** The bus starts the service when it is called, so that it need not run. In view mode it is not asked. */
  async #isPresent(): Promise<boolean> {
    return this.#mode === 'view' || (await this.#bus.stateOf(NAME)) !== 'missing'
  }

  /**
   * Sets the host name. Does nothing in view mode and without the service.
   * @returns whether the machine must be restarted before it has the host name
   * @throws BusError if the service refuses
   */
  async set(hostName: string): Promise<boolean> {
    if (this.#mode === 'view' || !(await this.#isPresent())) return false
    await this.#bus.call({
      destination: NAME,
      path: '/org/freedesktop/hostname1',
      interface: NAME,
      member: 'SetStaticHostname',
      signature: 'sb',
      body: [hostName, NOT_INTERACTIVE]
    })
    return this.#readName() !== hostName
  }
}
