// The present second, for what shows how long something lasts.
import { atom } from 'nanostores'
import { onMount } from './on-mount.ts'

/** Milliseconds since the epoch; moves once a second while somebody listens. */
export const $now = atom(Date.now())

onMount($now, () => {
  $now.set(Date.now())
  const timer = setInterval(() => $now.set(Date.now()), 1000)
  return () => clearInterval(timer)
})

/** Milliseconds by which the hub's clock is ahead of the browser's: what the hub dates is measured against its own clock. */
export const $skew = atom(0)

/** The hub's present time, milliseconds since the epoch. */
export function hubNow(): number {
  return Date.now() + $skew.get()
}
