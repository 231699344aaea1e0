// The licence of the hub.
import { LicenseService } from '../license/license-service.ts'
import { machineFingerprint } from '../license/machine.ts'
import type { Store } from '../store/store.ts'
import type { HubOptions } from './options.ts'

export function createLicenseService(store: Store, options: Pick<HubOptions, 'license'>): LicenseService {
  return new LicenseService({
    settings: store.settings,
    trusted: [],
    machine: machineFingerprint(),
    server: undefined,
    now: Date.now,
    onChange: () => store.changes.markChanged('status'),
    ...options.license
  })
}
