// What can be done to the device, besides what lists offer too: its own web page, a port of it, its firmware.
import { useState } from 'react'
import { type Device, REGISTRATION } from '../../../contract/device.ts'
import { isInteractive } from '../../../contract/family-rules.ts'
import { startRollout } from '../../../contract/firmware.ts'
import { startPortForward } from '../../../contract/port-forward.ts'
import { WEB_PAGE_RIGHT } from '../../../contract/web-page.ts'
import { ActButton } from '../../parts/actions.tsx'
import { UpgradeDialog } from '../../parts/upgrade-dialog.tsx'
import { link } from '../../paths.ts'
import { navigate } from '../../state/location.ts'
import { $may } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { Icon } from '../../ui/icon.tsx'
import { useStore } from '../../ui/use-store.ts'
import { webPage } from './store.ts'
import { TEXT } from './text.ts'

const WEB_PAGE = { who: WEB_PAGE_RIGHT }

export function DeviceActions({ device }: { device: Device }) {
  const may = useStore($may)
  const [updating, setUpdating] = useState(false)
  const { sn } = device
  const offline = device['online-date'] === 0 ? t(TEXT.offline) : undefined
  if (device['reg-state'] !== REGISTRATION.accepted || !isInteractive(device)) return null
  return (
    <span className="row">
      {may(WEB_PAGE) && !offline ? (
        <a className="button" href={webPage(sn)} target="_blank" rel="noopener noreferrer">
          <Icon name="language" />
          {t(TEXT.openPage)}
        </a>
      ) : (
        <ActButton call={WEB_PAGE} barred={offline} icon="language" label={t(TEXT.openPage)} onAct={() => {}} />
      )}
      <ActButton
        call={startPortForward}
        icon="output"
        label={t(TEXT.forward)}
        onAct={() => navigate(link('portForward', { sn }))}
      />
      <ActButton
        call={startRollout}
        barred={offline}
        icon="chip"
        label={t(TEXT.update)}
        onAct={() => setUpdating(true)}
      />
      {updating && <UpgradeDialog devices={[device]} onClose={() => setUpdating(false)} />}
    </span>
  )
}
