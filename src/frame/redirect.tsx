import { useEffect } from 'react'
import { navigate } from '../state/location.ts'

/** Replaces the current page by another one. */
export function Redirect({ to }: { to: string }) {
  useEffect(() => navigate(to, { replace: true }), [to])
  return null
}
