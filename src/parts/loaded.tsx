import type { ReactNode } from 'react'
import type { Live } from '../state/live.ts'
import { codeText } from '../text/codes.ts'
import { Denied, Failed, Skeleton } from '../ui/condition.tsx'

interface LoadedProps {
  of: Live
  /** Asks again after a failure. */
  retry: () => Promise<void>
  empty: boolean
  /** What is said where there is nothing: a sentence, or more. */
  says: ReactNode
  children: ReactNode
}

/** What a live store has, or why it has nothing. What it had before a failure stays. */
export function Loaded({ of, retry, empty, says, children }: LoadedProps) {
  if (of.phase === 'denied') return <Denied />
  if (of.phase === 'failed' && empty) return <Failed text={codeText(of.code)} onRetry={() => void retry()} />
  if (of.phase === 'loading' && empty) return <Skeleton rows={3} />
  if (empty) return typeof says === 'string' ? <p className="muted">{says}</p> : says
  return <>{children}</>
}
