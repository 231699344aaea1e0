// The ports that all channels share: which they are, and where one could not be opened why, and how to try again.
import { getSettings, setSettings } from '../../../contract/settings.ts'
import { retryPorts } from '../../../contract/system.ts'
import { send } from '../../link/send.ts'
import { ActButton } from '../../parts/actions.tsx'
import { $may } from '../../state/session.ts'
import { $system } from '../../state/system.ts'
import { change } from '../../state/toasts.ts'
import { t } from '../../text/language.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import * as UI from '../../ui/text.ts'
import { useStore } from '../../ui/use-store.ts'
import { PortDialog, type PortName, settingsOf } from './port-dialog.tsx'
import { TEXT } from './text.ts'

/** Where a port is. For who may change what it is set to. */
export function PortButton({ name }: { name: PortName }) {
  const shared = useStore($system).value?.status.system.ports?.[name]
  const open = async () => {
    const { settings } = await send(getSettings, {})
    // Where it is open is what the hub was started with, if that says another port.
    if (settings) void openDialog(PortDialog, { name, now: { ...settings[name], ...shared } })
  }
  return (
    useStore($may)(setSettings) && (
      <ActButton call={setSettings} icon="settings" label={settingsOf(name, shared?.port)} onAct={open} />
    )
  )
}

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
          <PortButton name={name} />
        </div>
      )
    )
  })
}
