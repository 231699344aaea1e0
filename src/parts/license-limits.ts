// Limits of the licence that are reached, as reasons why actions are disabled.
import { computed } from 'nanostores'
import type { LicenseLimits } from '../../contract/license/license.ts'
import { $system } from '../state/system.ts'
import { licenseLimitText } from '../text/license.ts'

type Reached = Partial<Record<keyof LicenseLimits, readonly [used: number, max: number]>>

/**
 * Usage and maximum of each limit that is reached, as JSON, so that only a change of them notifies. Without usage from
 * the hub: none.
 */
const $reached = computed($system, ({ value }) => {
  const { used = {}, ...current } = value?.status['cur-license'] ?? {}
  const names = Object.keys(used) as (keyof LicenseLimits)[]
  return JSON.stringify(
    Object.fromEntries(
      names.flatMap((name) => {
        const [count = 0, max = 0] = [used[name], current[name]]
        return max > 0 && count >= max ? [[name, [count, max]]] : []
      })
    )
  )
})

/** Returns the reason why the licence allows no more of something; undefined if it does. */
export const $limitReasons = computed($reached, (text) => {
  const reached: Reached = JSON.parse(text)
  return (name: keyof LicenseLimits): string | undefined => reached[name] && licenseLimitText(name, ...reached[name])
})

/** The current reason why the licence allows no more of something; undefined if it does. */
export const limitReason = (name: keyof LicenseLimits): string | undefined => $limitReasons.get()(name)
