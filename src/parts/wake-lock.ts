import { useEffect, useState } from 'react'

/**
 * Why the screen may go dark: browsers keep it on over HTTPS only; this browser cannot do it, or does not want to, for
 * instance while the battery is low.
 */
export type WakeLockFault = 'insecure' | 'refused'

/**
 * Keeps the screen on, where the browser can do that. It ends when the page is hidden, and is requested again then.
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
