// Whether what is shown can still be vouched for: the hub says at least a word a second.
import { atom } from 'nanostores'
import { STALE_AFTER } from '../../contract/limits.ts'
import { $heard } from '../link/fetch-json.ts'
import { onMount } from '../ui/on-mount.ts'

export interface Freshness {
  stale: boolean
  /** Milliseconds since the epoch: when stale, the hub's last word; else since when all is fresh. */
  since: number
}

export const $fresh = atom<Freshness>({ stale: false, since: 0 })

onMount($fresh, () => {
  let last = Date.now()
  let timer: ReturnType<typeof setTimeout> | undefined
  function expect(): void {
    clearTimeout(timer)
    timer = setTimeout(() => $fresh.set({ stale: true, since: last }), STALE_AFTER)
  }
  $fresh.set({ stale: false, since: last })
  expect()
  const stop = $heard.listen((at) => {
    last = at
    if ($fresh.value.stale) $fresh.set({ stale: false, since: at })
    expect()
  })
  return () => {
    stop()
    clearTimeout(timer)
  }
})
