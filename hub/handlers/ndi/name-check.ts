// Names that the hub announces by NDI.
import { hostname } from 'node:os'
import { INVALID_ARG } from '../../../contract/codes.ts'
import { announcedName } from '../../../contract/ndi/name-length.ts'
import { ndiName } from '../../../contract/rules/ndi-names.ts'
import { NDI } from '../../../contract/stream/protocols.ts'
import { CallError } from '../../http/handler.ts'
import { ndiOutputOf } from '../../store/channels.ts'
import type { Store } from '../../store/store.ts'

/** The name under which the machine of the hub announces its NDI sources. */
export const ndiMachineNameOf = ({ settings }: Pick<Store, 'settings'>): string =>
  (settings.get('ndi-discovery')['machine-name'] || hostname()).toUpperCase()

/** The name under which the hub announces an NDI source. */
export const ndiAddress = (store: Pick<Store, 'settings'>, name: string): string =>
  announcedName(ndiMachineNameOf(store), name)

/** @throws CallError 7 if NDI would announce the name in another form, or never */
export function requireNdiName(store: Pick<Store, 'settings'>, name: string, field = 'name'): void {
  const fault = ndiName(ndiMachineNameOf(store))(name)
  if (!fault) return
  const { name: faultName, ...numbers } = fault
  throw new CallError(INVALID_ARG, { field, fault: faultName, ...numbers })
}

/** The names of all outputs that the hub announces by NDI while their channels run. */
export function ndiOutputNames({ channels, sources }: Pick<Store, 'channels' | 'sources'>): string[] {
  const own = channels.all().filter((row) => ndiOutputOf(row)?.enable)
  return [...own, ...sources.outputs().filter(({ protocol }) => protocol === NDI)].map(({ name }) => name)
}
