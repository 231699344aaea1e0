// The ports that all channels share, as far as they could not be opened: why, and how to try again.
import { retryPorts } from '../../../contract/system.ts'
import { ActButton } from '../../parts/actions.tsx'
import { $may } from '../../state/session.ts'
import { $system } from '../../state/system.ts'
import { change } from '../../state/toasts.ts'
import { t } from '../../text/language.ts'
import * as UI from '../../ui/text.ts'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './text.ts'

/** A banner for each port that failed. Who may not repair it sees the reason alone. */
export function PortFaults() {
  const ports = useStore($system).value?.status.system.ports
  const may = useStore($may)(retryPorts)
  return (['srt', 'rtmp'] as const).map((name) => {
    const reason = ports?.[name].reason
    return (
      reason && (
        <div key={name} className="banner" role="alert">
          <span>
            {t(TEXT.of, name.toUpperCase(), reason)} <small>{ports[name]['next-step']}</small>
          </span>
          {may && <ActButton call={retryPorts} icon="retry" label={t(UI.retry)} onAct={() => change(retryPorts, {})} />}
        </div>
      )
    )
  })
}
