import type { ReactNode } from 'react'
import type { Live, LiveStore } from '../state/live.ts'
import { codeText } from '../text/codes.ts'
import { Denied, Failed, Skeleton } from '../ui/placeholder.tsx'
import { useStore } from '../ui/use-store.ts'

/**
 * Why a live store shows nothing: it is loading, it failed, it is not for this user, or there is nothing (`says`). What it had before
 * a failure stays.
 * @returns nothing where there is something to show
 */
export function useInstead($store: LiveStore<Live>, empty: boolean, says: ReactNode): ReactNode {
  const { phase, code } = useStore($store)
  if (phase === 'denied') return <Denied />
  if (!empty) return undefined
  if (phase === 'failed') return <Failed text={codeText(code)} onRetry={() => void $store.refresh()} />
  return phase === 'loading' ? <Skeleton /> : says
}

interface LoadedProps {
  of: LiveStore<Live>
  empty: boolean
  /** What is said where there is nothing. */
  says: string
  children: ReactNode
}

/** What a live store has, or why it has nothing. */
export function Loaded({ of, empty, says, children }: LoadedProps) {
  return <>{useInstead(of, empty, <p className="muted nothing">{says}</p>) ?? children}</>
}
