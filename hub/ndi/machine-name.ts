// The name of this machine in NDI.
import { hostname } from 'node:os'
import type { Store } from '../store/store.ts'

/** The name under which the machine of the hub announces its NDI sources, as the settings say. */
export const ndiMachineNameOf = ({ settings }: Pick<Store, 'settings'>): string =>
  (settings.get('ndi-discovery')['machine-name'] || hostname()).toUpperCase()
