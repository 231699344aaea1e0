// Whether the matrices on screen are the hub's current ones. After a lost connection, and after the page was hidden or
// the machine asleep, they are not, until the hub has sent them again.
import { atom } from 'nanostores'
import { STALE_AFTER } from '../../../contract/limits.ts'
import { $lastResponseAt } from '../../link/fetch-json.ts'
import { $freshness } from '../../state/freshness.ts'
import { $now } from '../../ui/clock.ts'
import { onMount } from '../../ui/on-mount.ts'
import { $matrices } from './store.ts'

/**
 * Milliseconds between two ticks of the clock, which ticks every second, after which the machine has slept in between.
 */
const SLEEP_MIN = 3000

export const $isCurrent = atom(true)

onMount($isCurrent, () => {
  let lastTick = Date.now()
  /** Responses that are older are not current; milliseconds since the epoch. */
  let neededSince = 0

  function update(): void {
    const isSilent = Date.now() - $lastResponseAt.get() > STALE_AFTER
    const isDisconnected = document.hidden || isSilent || $freshness.value.stale
    $isCurrent.set(!isDisconnected && $matrices.get().updatedAt >= neededSince)
  }
  function invalidate(): void {
    neededSince = Date.now()
    update()
    if (!document.hidden) void $matrices.refresh()
  }
  const stops = [
    $matrices.listen(update),
    $freshness.listen(invalidate),
    $now.listen((time) => {
      const hasSlept = time - lastTick > SLEEP_MIN
      lastTick = time
      if (hasSlept) invalidate()
      else update()
    })
  ]
  document.addEventListener('visibilitychange', invalidate)
  update()
  return () => {
    for (const stop of stops) stop()
    document.removeEventListener('visibilitychange', invalidate)
  }
})
