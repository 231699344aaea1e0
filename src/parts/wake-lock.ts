import { useEffect, useState } from 'react'

/**
 * Why the screen may go dark: `insecure`: browsers permit a wake lock over HTTPS only; `refused`: the browser does not
 * support it or refused it, for example while the battery is low.
 */
export type WakeLockFault = 'insecure' | 'refused'

/**
 * Keeps the screen on with a wake lock. The browser releases it while the page is hidden, so it is requested again when
 * the page is shown.
 * @returns undefined while the screen stays on
 */
export function useWakeLock(): WakeLockFault | undefined {
  const [fault, setFault] = useState<WakeLockFault>()
  useEffect(() => {
    const request = async () => {
      if (document.hidden) return
      if (!window.isSecureContext) return setFault('insecure')
      const lock = await navigator.wakeLock?.request('screen').catch(() => undefined)
      setFault(lock ? undefined : 'refused')
    }
    const handleChange = () => void request()
    handleChange()
    document.addEventListener('visibilitychange', handleChange)
    return () => document.removeEventListener('visibilitychange', handleChange)
  }, [])
  return fault
}
