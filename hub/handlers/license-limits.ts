// Enforces the limits of the licence for every change that can increase the usage.
import { LICENSE_LIMIT } from '../../contract/codes.ts'
import { CallError } from '../http/handler.ts'
import { countLicenseUsage, findLicenseExcess } from '../store/license-usage.ts'
import type { Store } from '../store/store.ts'

/**
 * Runs a change inside the current transaction, and undoes it if the usage then exceeds the licence.
 * @returns whether the change stays
 */
export function changeWithinLicense(
  { database, settings }: Pick<Store, 'database' | 'settings'>,
  change: () => void,
  undo: () => void
): boolean {
  const before = countLicenseUsage(database)
  change()
  if (!findLicenseExcess(settings.get('license-limits'), before, countLicenseUsage(database))) return true
  undo()
  return false
}

/**
 * Runs a change inside the current transaction.
 * @throws CallError 1006 if the usage then exceeds the licence, which rolls the transaction back
 */
export function enforceLicense<T>({ database, settings }: Pick<Store, 'database' | 'settings'>, change: () => T): T {
  const before = countLicenseUsage(database)
  const result = change()
  const excess = findLicenseExcess(settings.get('license-limits'), before, countLicenseUsage(database))
  if (excess) throw new CallError(LICENSE_LIMIT, { ...excess })
  return result
}
