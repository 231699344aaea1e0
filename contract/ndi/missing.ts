// Why an NDI source that is used is not found.

/**
 * - `ended`: other sources of its machine are found, so that the source itself has ended, or has another name
 * - `machine-off`: no source of its machine is found
 * - `settings`: parts of the NDI settings of the hub cannot be used
 * - `interface`: it may be in a network whose interface the NDI settings leave out
 * - `group`: it may be in a group in which the hub does not search
 * - `subnet`: it may be in another network, which multicast does not reach
 * - `discovery-server`: it may be announced to a discovery server alone, or to another one than that of the hub
 * - `firewall`: a firewall may block multicast DNS or the source
 * - `runtime`: without the NDI runtime the hub does not find sources of groups and of discovery servers
 */
export type MissingReason =
  | 'ended'
  | 'machine-off'
  | 'settings'
  | 'interface'
  | 'group'
  | 'subnet'
  | 'discovery-server'
  | 'firewall'
  | 'runtime'

/** Where the hub searches sources, by its NDI settings. */
export interface NdiSearchSettings {
  /** Groups, separated by commas. Empty: Public. */
  groups: string
  /** Discovery servers that are used. */
  servers: string[]
  /** Network interfaces, each as name or IPv4 address. Empty: all. */
  ifaces: string[]
  /** Hosts of the settings that are unknown or forbidden, and interfaces that do not exist. */
  unusable: string[]
}

/** The machine in an NDI name, `MACHINE (Source)`; the whole name if it has another form. */
export const machineOf = (name: string): string => /^(.+?) \(.*\)$/s.exec(name)?.[1] ?? name

/** The name of the source in an NDI name, `MACHINE (Source)`; the whole name if it has another form. */
export const sourceNameOf = (name: string): string => /^.+? \((.*)\)$/s.exec(name)?.[1] ?? name

interface SearchFacts {
  /** NDI names that are found. */
  found: Iterable<string>
  /** Whether the NDI runtime searches. */
  hasRuntime: boolean
  /** Without the runtime they do not apply. */
  settings: Pick<NdiSearchSettings, 'ifaces' | 'unusable'>
}

/** Possible reasons why a source is not found, the most likely first. */
export function whyMissing(name: string, { found, hasRuntime, settings }: SearchFacts): MissingReason[] {
  const machine = machineOf(name)
  const isMachineFound = [...found].some((each) => machineOf(each) === machine)
  const search: MissingReason[] = hasRuntime ? ['group', 'discovery-server'] : ['runtime']
  const unusable: MissingReason[] = hasRuntime && settings.unusable.length > 0 ? ['settings'] : []
  const limited: MissingReason[] = hasRuntime && settings.ifaces.length > 0 ? ['interface'] : []
  return isMachineFound
    ? ['ended', ...unusable, ...search]
    : ['machine-off', ...unusable, ...limited, 'subnet', ...search, 'firewall']
}
