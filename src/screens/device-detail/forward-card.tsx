import type { Device } from '../../../contract/device/device.ts'
import { startPortForward } from '../../../contract/port-forward.ts'
import { Actions, CallButton } from '../../parts/actions.tsx'
import { offlineReason } from '../../parts/device/device-actions.tsx'
import { LoadState } from '../../parts/load-state.tsx'
import { ForwardState, forwardName, STOP } from '../../parts/port-forward/forward.tsx'
import { StartForwardDialog } from '../../parts/port-forward/start-dialog.tsx'
import { $forwards } from '../../parts/port-forward/store.ts'
import { TEXT } from '../../parts/port-forward/text.ts'
import { linkTo } from '../../paths.ts'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { useStore } from '../../ui/use-store.ts'

/** The ports of the hub that are forwarded to a device. */
export function ForwardCard({ device }: { device: Device }) {
  const forwards = useStore($forwards).items.filter(({ sn }) => sn === device.sn)
  return (
    <Card title={t(TEXT.title)} action={<a href={`#${linkTo('portForward')}`}>{t(TEXT.all)}</a>}>
      <div className="stack">
        <LoadState store={$forwards} isEmpty={forwards.length === 0} emptyText={t(TEXT.none)}>
          <ul className="stack">
            {forwards.map((forward) => (
              <li key={forward.id} className="row">
                <span className="num">{t(TEXT.ports, forward['local-port'], forward['remote-port'])}</span>
                <ForwardState forward={forward} />
                <span className="push">
                  <Actions actions={[STOP]} rows={[forward]} nameOf={forwardName} />
                </span>
              </li>
            ))}
          </ul>
        </LoadState>
        <CallButton
          call={startPortForward}
          icon="output"
          label={t(TEXT.start)}
          disabledReason={offlineReason([device])}
          onClick={() => openDialog(StartForwardDialog, { device })}
        />
      </div>
    </Card>
  )
}
