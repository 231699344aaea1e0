import { useEffect, useState } from 'react'

/** Seconds until a time of the browser's clock, counted down to 0. @param deadline milliseconds since the epoch */
export function useSecondsUntil(deadline: number): number {
  const [, setTick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), 500)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.ceil((deadline - Date.now()) / 1000))
}
