// The ports that all channels share: their numbers, and for a port that could not be opened the reason and a retry
// button.

import { getSettings, SETTING_RIGHTS, setSettings } from '../../../contract/settings.ts'
import { retryPorts } from '../../../contract/system.ts'
import { send } from '../../link/send.ts'
import { CallButton } from '../../parts/actions.tsx'
import { sendMutation } from '../../state/mutations.ts'
import { $isAllowed } from '../../state/session.ts'
import { $system } from '../../state/system.ts'
import { t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import * as UI from '../../ui/text.ts'
import { useStore } from '../../ui/use-store.ts'
import { PortDialog, type PortName } from './port-dialog.tsx'
import * as TEXT from './text.ts'
import { portLabel } from './text.ts'

/** The permission for the ports, as that of a call. */
const editPorts = { ...setSettings, access: SETTING_RIGHTS.srt.edit }

/** Shows the number of a port and opens its settings. Hidden from users without the permission. */
export function PortButton({ name }: { name: PortName }) {
  const sharedPort = useStore($system).value?.status.system.ports?.[name]
  const openPortDialog = async () => {
    const { settings } = await send(getSettings, {})
    // A port number from the hub's command line overrides the setting, so the number in use replaces the stored one.
    if (settings) void openDialog(PortDialog, { name, current: { ...settings[name], ...sharedPort } })
  }
  return (
    useStore($isAllowed)(editPorts) && (
      <CallButton call={editPorts} icon="port" label={portLabel(name, sharedPort?.port)} onClick={openPortDialog} />
    )
  )
}

/** A banner for each port that could not be opened. Users without the permission see it without buttons. */
export function PortFaults() {
  const ports = useStore($system).value?.status.system.ports
  const mayRetry = useStore($isAllowed)(retryPorts)
  return (['srt', 'rtmp', 'files'] as const).map((name) => {
    const { reason, 'next-step': step } = ports?.[name] ?? {}
    const label = name === 'files' ? 'HLS' : name
    return (
      reason && (
        <div key={name} className="banner" role="alert">
          <span>
            {t(TEXT.of, label.toUpperCase(), reason)} <small>{step}</small>
          </span>
          {mayRetry && (
            <CallButton
              call={retryPorts}
              icon="retry"
              label={t(UI.retry)}
              onClick={() =>
                sendMutation(retryPorts, {}, { success: { text: OUTCOME.retrying, names: [portLabel(label)] } })
              }
            />
          )}
          {name !== 'files' && <PortButton name={name} />}
        </div>
      )
    )
  })
}
