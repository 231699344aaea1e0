// Client of systemd-logind, which restarts and shuts down the machine.
import type { Inhibitor } from '../../contract/machine/power.ts'
import type { SystemService } from '../messages/machine.ts'
import { NOT_INTERACTIVE, type SystemBus } from './system-bus.ts'

export const LOGIND: SystemService = { name: 'systemd-logind', package: 'systemd', unit: 'systemd-logind' }

const NAME = 'org.freedesktop.login1'
const MANAGER = { destination: NAME, path: '/org/freedesktop/login1', interface: `${NAME}.Manager` }

/** Method names of logind. */
const METHODS = { reboot: 'Reboot', shutdown: 'PowerOff' } as const

export type PowerAction = keyof typeof METHODS

export class Logind {
  readonly #bus: SystemBus

  constructor(bus: SystemBus) {
    this.#bus = bus
  }

  state(): Promise<'running' | 'stopped' | 'missing'> {
    return this.#bus.stateOf(NAME)
  }

  /**
   * Whether the machine supports the action, and polkit permits it to the user of the hub without a password. @throws
   * BusError
   */
  async isPermitted(action: PowerAction): Promise<boolean> {
    const [answer] = await this.#bus.call({ ...MANAGER, member: `Can${METHODS[action]}` })
    return answer === 'yes'
  }

  /** The programs that block a shutdown. Those that only delay it are left out. @throws BusError */
  async listBlockingInhibitors(): Promise<Inhibitor[]> {
    const [list] = (await this.#bus.call({ ...MANAGER, member: 'ListInhibitors' })) as [
      [what: string, who: string, why: string, mode: string, uid: number, pid: number][]
    ]
    return list
      .filter(([what, , , mode]) => mode.startsWith('block') && what.split(':').includes('shutdown'))
      .map(([, who, why]) => ({ who, why }))
  }

  /** Begins the action; the processes of the machine end soon after. Never asks a user. @throws BusError */
  async begin(action: PowerAction): Promise<void> {
    await this.#bus.call({ ...MANAGER, member: METHODS[action], signature: 'b', body: [NOT_INTERACTIVE] })
  }
}
