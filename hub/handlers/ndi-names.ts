// Names that the hub announces by NDI.
import { INVALID_ARG } from '../../contract/codes.ts'
import { MATRIX_SIDE_MAX } from '../../contract/limits.ts'
import { announcedName, destinationName } from '../../contract/ndi-name-length.ts'
import { matrixBaseName } from '../../contract/rules/matrix.ts'
import { ndiName } from '../../contract/rules/ndi-names.ts'
import type { Fault } from '../../contract/rules/rules.ts'
import { NDI } from '../../contract/stream/protocols.ts'
import type { EngineClient } from '../../engine/interfaces/engine-client.ts'
import { CallError } from '../http/handler.ts'
import { ndiMachineNameOf } from '../ndi/machine-name.ts'
import { channelSetting } from '../store/channels.ts'
import type { Store } from '../store/store.ts'

/** The parts of the hub that know the name of its machine. */
export interface NdiNameParts {
  store: Store
  engine: EngineClient
}

/** The name under which the hub announces an NDI source. */
export const ndiAddress = (parts: NdiNameParts, name: string): string => announcedName(ndiMachineNameOf(parts), name)

/** @throws CallError 7 if NDI would announce the name in another form, or never */
export const requireNdiName = (parts: NdiNameParts, name: string, field = 'name'): void =>
  requireNoFault(ndiName(ndiMachineNameOf(parts))(name), field)

/** @throws CallError 7 if NDI would announce destinations with this base name in another form, or never */
export const requireBaseName = (parts: NdiNameParts, base: string): void =>
  requireNoFault(matrixBaseName(ndiMachineNameOf(parts))(base), 'machine')

function requireNoFault(fault: Fault | undefined, field: string): void {
  if (!fault) return
  const { name, ...numbers } = fault
  throw new CallError(INVALID_ARG, { field, fault: name, ...numbers })
}

/**
 * The names of all sources that the hub announces by NDI: outputs, while their channels run, and the destinations of
 * the router.
 */
export function announcedNames({
  channels,
  sources,
  matrices
}: Pick<Store, 'channels' | 'sources' | 'matrices'>): string[] {
  const own = channels.all().filter((row) => channelSetting(row, 'ndi')?.enable)
  const outputs = [...own, ...sources.outputs().filter(({ protocol }) => protocol === NDI)].map(({ name }) => name)
  return [...outputs, ...matrices.all().map(({ machine }) => destinationName(machine, MATRIX_SIDE_MAX))]
}
