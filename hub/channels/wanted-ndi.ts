import type { NdiSettings } from '../../engine/interfaces/ndi.ts'
import type { Store } from '../store/store.ts'

/** The stored settings of NDI, as the engine is to have them. */
export const wantedNdi = ({ settings }: Pick<Store, 'settings'>): NdiSettings => ({
  discovery: settings.get('ndi-discovery'),
  server: settings.get('hub-ndi-server')
})
