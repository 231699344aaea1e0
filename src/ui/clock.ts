// The current time as a store, for elapsed times that update every second.
import { atom } from 'nanostores'
import { useEffect, useState } from 'react'
import { onMount } from './on-mount.ts'

/** Milliseconds since the epoch. Updated every second while the store has a listener. */
export const $now = atom(Date.now())

onMount($now, () => {
  $now.set(Date.now())
  const timer = setInterval(() => $now.set(Date.now()), 1000)
  return () => clearInterval(timer)
})

/**
 * Milliseconds by which the hub's clock is ahead of the browser's. Needed to compare timestamps of the hub with the
 * current time.
 */
export const $clockOffset = atom(0)

/** The current time on the hub's clock, in milliseconds since the epoch. */
export function hubNow(): number {
  return Date.now() + $clockOffset.get()
}

/** Seconds until a time of the browser's clock, counted down to 0. @param deadline milliseconds since the epoch */
export function useSecondsUntil(deadline: number): number {
  const [, setTick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), 500)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.ceil((deadline - Date.now()) / 1000))
}
