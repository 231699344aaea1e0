// Whether the data on screen is up to date. The hub sends something at least every second, so a longer silence means
// that the connection is broken.
import { atom } from 'nanostores'
import { STALE_AFTER } from '../../contract/limits.ts'
import { $lastResponseAt } from '../link/fetch-json.ts'
import { onMount } from '../ui/on-mount.ts'

export interface Freshness {
  stale: boolean
  /**
   * Milliseconds since the epoch: when stale, the time of the hub's last message; otherwise the time since which data
   * is fresh.
   */
  since: number
}

export const $freshness = atom<Freshness>({ stale: false, since: 0 })

onMount($freshness, () => {
  let lastMessageAt = Date.now()
  let timer: ReturnType<typeof setTimeout> | undefined
  function restartTimer(): void {
    clearTimeout(timer)
    timer = setTimeout(() => $freshness.set({ stale: true, since: lastMessageAt }), STALE_AFTER)
  }
  $freshness.set({ stale: false, since: lastMessageAt })
  restartTimer()
  const stop = $lastResponseAt.listen((time) => {
    lastMessageAt = time
    if ($freshness.value.stale) $freshness.set({ stale: false, since: time })
    restartTimer()
  })
  return () => {
    stop()
    clearTimeout(timer)
  }
})
