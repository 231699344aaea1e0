// The limit of the licence on accepted devices.
import { LICENSE_LIMIT } from '../../../contract/codes.ts'
import { countLicenseUsage } from '../../store/license-usage.ts'
import type { Store } from '../../store/store.ts'

/** The refusal of one more accepted device; undefined if the licence allows it. */
export function refusePlace({ database, settings }: Pick<Store, 'database' | 'settings'>) {
  const of = 'max-dev-count'
  const max = settings.get('license-limits')[of]
  const used = countLicenseUsage(database)[of]
  return max > 0 && used >= max ? ({ result: LICENSE_LIMIT, of, max, used } as const) : undefined
}
