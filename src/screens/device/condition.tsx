import type { Device } from '../../../contract/device.ts'
import { LINK_PORT } from '../../../contract/limits.ts'
import { link } from '../../paths.ts'
import type { LiveList } from '../../state/live-list.ts'
import { $system } from '../../state/system.ts'
import { codeText } from '../../text/codes.ts'
import { type Pair, t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Denied, Empty, Failed, Skeleton } from '../../ui/condition.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './text.ts'

interface InsteadProps {
  state: LiveList<Device>
  retry: () => Promise<void>
  /** A search or filter is on. */
  narrowed: boolean
  onShowAll: () => void
  none: Pair
}

/** Why there are no rows, and what to do about it. */
export function Instead({ state, retry, narrowed, onShowAll, none }: InsteadProps) {
  const system = useStore($system).value?.status.system
  if (state.phase === 'loading' && state.items.length === 0) return <Skeleton />
  if (state.phase === 'denied') return <Denied />
  if (state.phase === 'failed') return <Failed text={codeText(state.code)} onRetry={() => void retry()} />
  if (narrowed && state.items.length > 0)
    return (
      <Empty icon="search" title={t(TEXT.noneFound)}>
        <Button label={t(TEXT.clearSearch)} onClick={onShowAll} />
      </Empty>
    )
  const pending = system?.device['num-pending'] ?? 0
  const port = system?.info['link-port'] ?? LINK_PORT
  const explain = none === TEXT.noneYet || none === TEXT.nonePending
  return (
    <Empty
      icon={none === TEXT.noneWarning ? 'check' : 'devices'}
      title={t(none)}
      text={explain ? t(TEXT.noneYetText, port) : undefined}
    >
      {none === TEXT.noneYet && pending > 0 && (
        <a className="button main" href={`#${link('pendingDevices')}`}>
          {t(TEXT.toPending, pending)}
        </a>
      )}
    </Empty>
  )
}
