// What the licence allows, at every change that may ask for more.
import { LICENSE_LIMIT } from '../../contract/codes.ts'
import { Refusal } from '../http/handler.ts'
import { licenseExcess, licenseUsage } from '../store/license-usage.ts'
import type { Store } from '../store/store.ts'

/**
 * Does a change, inside a transaction.
 * @throws Refusal 1006 when more is active afterwards than the licence allows; the transaction then takes the change back
 */
export function withinLicense<T>({ database, settings }: Pick<Store, 'database' | 'settings'>, work: () => T): T {
  const before = licenseUsage(database)
  const done = work()
  const excess = licenseExcess(settings.get('license-limits'), before, licenseUsage(database))
  if (excess) throw new Refusal(LICENSE_LIMIT, { ...excess })
  return done
}
