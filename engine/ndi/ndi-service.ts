// Everything about NDI that is not a leg of a channel: discovery of sources, the configuration of all processes, and
// the discovery server.

import { NdiUnavailableError } from '../interfaces/errors.ts'
import type { Launcher } from '../interfaces/launcher.ts'
import type { Ndi, NdiRuntimeReport, NdiSettings, NdiSources, NdiState } from '../interfaces/ndi.ts'
import { NdiConfig } from './config.ts'
import { NdiDiscovery } from './discovery.ts'
import { NdiDiscoveryServer } from './discovery-server.ts'
import { MachineAnswers } from './machine-answers.ts'
import { createNdi, type NdiOptions } from './runtime.ts'

interface NdiServiceOptions extends Omit<NdiOptions, 'config' | 'launcher'> {
  launcher: Pick<Launcher, 'run'>
  resolveHost(host: string): Promise<string>
  accountFolder?: string | undefined
  /** Whether sources are searched by DNS-SD without the runtime. */
  dnsSd?: boolean | undefined
  serverPrograms?: readonly string[] | undefined
  /** As `port` of `MachineAnswersOptions`. */
  machinePort?: number | undefined
  /** NDI sources appeared or disappeared, answer or do not answer any more. */
  onSourcesChange(): void
  /** The state of the discovery server changed. */
  onStateChange(): void
}

export class NdiService {
  readonly ndi: Ndi
  readonly machines: MachineAnswers
  readonly #config: NdiConfig
  readonly #discovery: NdiDiscovery
  readonly #server: NdiDiscoveryServer
  /** The settings as JSON, to notice a change. */
  #settings = ''

  constructor(options: NdiServiceOptions) {
    const { launcher, now, onSourcesChange, onStateChange, serverPrograms } = options
    this.#config = new NdiConfig(options)
    this.ndi = createNdi({ ...options, config: this.#config })
    const { resolveHost, dnsSd, machinePort } = options
    this.machines = new MachineAnswers({ resolveHost, port: machinePort })
    const { ndi, machines } = this
    this.#discovery = new NdiDiscovery({ ndi, launcher, machines, onChange: onSourcesChange, dnsSd })
    this.#server = new NdiDiscoveryServer({ launcher, programs: serverPrograms, now, onChange: onStateChange })
  }

  /** Applies settings to processes that start afterwards. Discovery, which is not on air, starts again. */
  async configure({ discovery, server }: NdiSettings): Promise<void> {
    this.#server.configure(server)
    const settings = JSON.stringify(discovery)
    if (settings === this.#settings) return
    this.#settings = settings
    await this.#config.configure(discovery)
    this.#discovery.restart()
  }

  findSources(): Promise<NdiSources> {
    return this.#discovery.findSources()
  }

  observe(): NdiState {
    return { server: this.#server.observe(), ...this.#config.observe() }
  }

  async checkRuntime(): Promise<NdiRuntimeReport> {
    try {
      const { version } = await this.ndi.findRuntime()
      return { version }
    } catch (error) {
      if (!(error instanceof NdiUnavailableError)) throw error
      return { failure: error.failure }
    }
  }

  close(): void {
    this.#discovery.stop()
    void this.#server.stop()
  }
}
