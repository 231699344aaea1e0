// The present second, for what shows how long something lasts.
import { atom, onMount } from 'nanostores'

/** Milliseconds since the epoch; moves once a second while somebody listens. */
export const $now = atom(Date.now())

onMount($now, () => {
  $now.set(Date.now())
  const timer = setInterval(() => $now.set(Date.now()), 1000)
  return () => clearInterval(timer)
})
