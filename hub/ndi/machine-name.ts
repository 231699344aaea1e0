// The name of this machine in NDI.
import { hostname } from 'node:os'
import type { EngineClient } from '../../engine/interfaces/engine-client.ts'
import type { Store } from '../store/store.ts'

interface NameSources {
  store: Pick<Store, 'settings'>
  engine: Pick<EngineClient, 'ndiStatus'>
}

/**
 * The name that the engine uses if the settings have none. Before the first connection to the engine: the host name.
 */
export const defaultNdiMachineName = ({ engine }: Pick<NameSources, 'engine'>): string =>
  engine.ndiStatus()?.defaultMachineName ?? hostname()

/** The name under which the engine announces the NDI sources of the hub. */
export const ndiMachineNameOf = ({ store, engine }: NameSources): string =>
  (store.settings.get('ndi-discovery')['machine-name'] || defaultNdiMachineName({ engine })).toUpperCase()
