import type { MissingReason, NdiSearchSettings } from './missing.schema.ts'

export type { MissingReason, NdiSearchSettings } from './missing.schema.ts'

/** The machine in an NDI name, `MACHINE (Source)`; the whole name if it has another form. */
export const machineOf = (name: string): string => /^(.+?) \(.*\)$/s.exec(name)?.[1] ?? name

/** The name of the source in an NDI name, `MACHINE (Source)`; the whole name if it has another form. */
export const sourceNameOf = (name: string): string => /^.+? \((.*)\)$/s.exec(name)?.[1] ?? name

interface SearchFacts {
  /** NDI names that are found. */
  found: Iterable<string>
  /** Whether the NDI runtime searches. */
  hasRuntime: boolean
  /** Whether the hub has IPv6 addresses alone. */
  isIpv6Only?: boolean
  /** Without the runtime they do not apply. */
  settings: Pick<NdiSearchSettings, 'ifaces' | 'unusable'>
}

/** Possible reasons why a source is not found, the most likely first. */
export function whyMissing(
  name: string,
  { found, hasRuntime, isIpv6Only = false, settings }: SearchFacts
): MissingReason[] {
  if (isIpv6Only) return ['ipv6-only']
  const machine = machineOf(name)
  const isMachineFound = [...found].some((each) => machineOf(each) === machine)
  const search: MissingReason[] = hasRuntime ? ['group', 'discovery-server'] : ['runtime']
  const unusable: MissingReason[] = hasRuntime && settings.unusable.length > 0 ? ['settings'] : []
  const limited: MissingReason[] = hasRuntime && settings.ifaces.length > 0 ? ['interface'] : []
  return isMachineFound
    ? ['ended', ...unusable, ...search]
    : ['machine-off', ...unusable, ...limited, 'subnet', ...search, 'firewall']
}
