// The interface to NDI.
import type { NdiDiscoverySettings, NdiServerSettings, NdiServerState } from '../../contract/ndi/settings.ts'
import type { NdiTransportFields } from '../../contract/ndi/transport.ts'
import type { MissingPartDetail } from '../../contract/stream/missing-part.ts'
import type { Failure } from './errors.ts'
import type { Launch } from './launcher.ts'

/** The installed NDI runtime and the programs that use it. */
export interface NdiRuntime {
  /** Path of the library. */
  library: string
  /** Version text of the library. */
  version: string
  /** Whether it has functions for routing. */
  canRoute: boolean
  /** Path of `headend-ndi`. */
  program: string
  /** Path of the ffmpeg that encodes and decodes for it. */
  ffmpeg: string
}

/** What an NDI process is for. */
type NdiRole = 'find' | 'receive' | 'send' | 'route'

/** What one process has besides the configuration that all NDI processes share. */
export interface NdiProcessOptions {
  role: NdiRole
  /** Name of the source that it sends or receives, for the list of processes with an earlier configuration. */
  name: string
  transport?: NdiTransportFields
  /** Where the process searches besides the places of the settings. */
  search?: NdiSearch
}

/** Where a source is searched. All hosts are IPv4 addresses. */
export interface NdiSearch {
  /** Machines that are asked for their sources. */
  addresses: readonly string[]
  /** Discovery servers, with an optional port, that replace those of the settings. */
  servers?: readonly string[]
  /** Groups that replace those of the settings, separated by commas. */
  groups?: string
}

/** The configuration of one process, as a part of its launch. */
export type NdiProcessConfig = Required<Pick<Launch, 'environment' | 'onExit'>>

/** Settings of all NDI processes, and of the discovery server. */
export interface NdiSettings {
  discovery: NdiDiscoverySettings
  server: NdiServerSettings
}

export interface Ndi {
  /** @throws NdiUnavailableError if the runtime or a program is missing or cannot be used */
  findRuntime(): Promise<NdiRuntime>
  /** At most one: the runtime with its file name, or `headend-ndi` with the command that installs it. */
  listMissing(): MissingPartDetail[]
  /**
   * Writes the configuration of a process that is about to start. Each start needs its own, which is spread into the
   * launch.
   */
  openConfig(options: NdiProcessOptions): NdiProcessConfig
  /** Name under which this machine announces its sources. */
  machineName(): string
  /** The name if the settings have none: that of the NDI configuration of the account, or the host name. */
  defaultMachineName(): string
}

/** Whether NDI can be used on this machine. */
export interface NdiStatus {
  /** As `Ndi.defaultMachineName`. */
  defaultMachineName: string
  /** Version of the runtime, if it can be used. */
  version?: string
  canRoute: boolean
  /** Why it cannot route. */
  failure?: Failure
}

export interface NdiSources {
  /** Addresses by source name. */
  sources: ReadonlyMap<string, string>
  /** Whether the machine of a source answers, by the name of the source. Absent: see `MachineWatch.answers`. */
  answers: ReadonlyMap<string, boolean>
  /** Version of the runtime, if it can be used. */
  version?: string
  /** Why the runtime cannot be used. `sources` are then those that DNS-SD finds, which cannot be received. */
  failure?: Failure
}

/** The runtime on the machine of the engine: its version, or why it cannot be used. */
export interface NdiRuntimeReport {
  version?: string
  failure?: Failure
}

/** The state of NDI on the machine of the engine. */
export interface NdiState {
  server: NdiServerReport
  /** The name under which this machine announces its sources. */
  machineName: string
  /** Running processes whose configuration differs from that of a process that starts now. */
  outdated: { role: NdiRole; name: string }[]
  /**
   * Names and addresses of the settings that cannot be used: hosts that are unknown or forbidden, interfaces that do
   * not exist.
   */
  unusable: string[]
  /**
   * The account of the engine has an NDI configuration of its own: merged into that of the hub, or not readable as
   * JSON.
   */
  accountConfig?: 'merged' | 'invalid'
}

/** The discovery server of the hub. */
export interface NdiServerReport {
  state: NdiServerState
  /** The port of the running server. */
  port?: number
  /**
   * The last line that the program wrote before it ended, or why it does not accept connections or cannot be started.
   */
  error?: string
  /** Seconds until it is started again. */
  retryInS?: number
}
