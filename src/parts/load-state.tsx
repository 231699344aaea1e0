import type { ReactNode } from 'react'
import type { LiveState, LiveStore } from '../state/live-store.ts'
import { codeText } from '../text/codes.ts'
import { AccessDenied, ErrorState, Skeleton } from '../ui/placeholder.tsx'
import { useStore } from '../ui/use-store.ts'

/**
 * Placeholder for a live store that has nothing to show: loading, failed, denied, or empty. Values loaded before a
 * failure stay visible.
 * @param emptyContent the placeholder of an empty store
 * @returns undefined if there are values to show
 */
export function usePlaceholder(store: LiveStore<LiveState>, isEmpty: boolean, emptyContent: ReactNode): ReactNode {
  const { phase, code } = useStore(store)
  if (phase === 'denied') return <AccessDenied />
  if (!isEmpty) return undefined
  if (phase === 'failed') return <ErrorState text={codeText(code)} onRetry={() => void store.refresh()} />
  return phase === 'loading' ? <Skeleton /> : emptyContent
}

interface LoadStateProps {
  store: LiveStore<LiveState>
  isEmpty: boolean
  /** Shown if the store is empty. */
  emptyText: string
  children: ReactNode
}

/** The children, or the placeholder of a store that has nothing to show. */
export function LoadState({ store, isEmpty, emptyText, children }: LoadStateProps) {
  return <>{usePlaceholder(store, isEmpty, <p className="muted nothing">{emptyText}</p>) ?? children}</>
}
