import { useEffect } from 'react'

/** Keeps the screen on, where the browser can do that. It ends when the page is hidden, and is requested again then. */
export function useWakeLock(): void {
  useEffect(() => {
    const request = () => {
      if (!document.hidden) void navigator.wakeLock?.request('screen').catch(() => {})
    }
    request()
    document.addEventListener('visibilitychange', request)
    return () => document.removeEventListener('visibilitychange', request)
  }, [])
}
