import type { ReactNode } from 'react'
import { $freshness } from '../state/freshness.ts'
import type { LiveState, LiveStore } from '../state/live-store.ts'
import { codeText } from '../text/codes.ts'
import { t } from '../text/language.ts'
import { AccessDenied, ErrorState, Skeleton } from '../ui/placeholder.tsx'
import * as UI from '../ui/text.ts'
import { useStore } from '../ui/use-store.ts'

/**
 * Placeholder for a live store that has nothing to show: loading, failed, denied, empty, or the hub is unreachable.
 * Values loaded before a failure stay visible.
 * @param emptyContent the placeholder of an empty store
 * @returns undefined if there are values to show
 */
export function usePlaceholder(store: LiveStore<LiveState>, isEmpty: boolean, emptyContent: ReactNode): ReactNode {
  const { phase, code } = useStore(store)
  const { stale } = useStore($freshness)
  if (phase === 'denied') return <AccessDenied />
  if (!isEmpty) return undefined
  const retry = () => void store.refresh()
  // The store requests its data again by itself as soon as the hub responds.
  if (stale && phase !== 'ready') return <ErrorState text={t(UI.unreachable)} onRetry={retry} />
  if (phase === 'failed') return <ErrorState text={codeText(code)} onRetry={retry} />
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
