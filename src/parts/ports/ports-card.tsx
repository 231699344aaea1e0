// The ports of the hub, each with what holds it closed, and a change that waits for its confirmation.
import { cancelPort, confirmPort, type HubPort, type PortTrial } from '../../../contract/web/ports.ts'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { CallButton } from '../actions.tsx'
import { TEXT as CONFIRMATION } from '../confirmation/text.ts'
import { usePlaceholder } from '../load-state.tsx'
import { HlsSwitch } from './hls-switch.tsx'
import { PortDialog } from './port-dialog.tsx'
import { $confirmUrl, $ports, isShared, keepPort, undoPort } from './store.ts'
import { TEXT } from './text.ts'

const EDIT = cancelPort

/** @param returnTo the page to which the console returns at a new port of its own */
export function PortsCard({ returnTo }: { returnTo: string }) {
  const { value } = useStore($ports)
  const placeholder = usePlaceholder($ports, !value, null)
  const { list = [], trial, last } = value ?? {}
  return (
    <Card title={t(TEXT.title)}>
      {!value && placeholder}
      {trial && <Waiting trial={trial} />}
      {last?.outcome === 'not-confirmed' && !trial && (
        <p className="fault" role="alert">
          {t(isShared(last.name) ? TEXT.sharedUndone : TEXT.notConfirmed, t(TEXT[last.name]), last.port)}
        </p>
      )}
      <DescriptionList
        items={list.map((port) => [
          t(TEXT[port.name]),
          <PortValue key={port.name} port={port} isLocked={trial !== undefined} returnTo={returnTo} />
        ])}
      />
      {value?.hls && <HlsSwitch hls={value.hls} />}
    </Card>
  )
}

interface PortValueProps {
  port: HubPort
  isLocked: boolean
  returnTo: string
}

function PortValue({ port, isLocked, returnTo }: PortValueProps) {
  return (
    <span className="row">
      <span className="num">
        {port.port ?? (port.reason ? <StatusLabel tone="bad" text={t(TEXT.closed)} /> : port.setting)}
      </span>
      {port.reason && <small className="fault">{port.reason}</small>}
      <CallButton
        call={EDIT}
        icon="edit"
        label={t(TEXT.change, t(TEXT[port.name]))}
        iconOnly
        disabledReason={isLocked ? t(TEXT.confirm) : undefined}
        onClick={() => void openDialog(PortDialog, { port, returnTo })}
      />
    </span>
  )
}

/**
 * A port that waits for its confirmation. The console has opened its own already, and here it can be opened again or
 * undone; a shared one is confirmed here, once clients reach it.
 */
function Waiting({ trial }: { trial: PortTrial }) {
  const url = useStore($confirmUrl)
  return (
    <div className="banner" role="alert">
      <span>{t(TEXT.waiting, t(TEXT[trial.name]), trial.port, trial['remaining-s'])}</span>
      {isShared(trial.name) && <CallButton call={confirmPort} label={t(TEXT.keep)} onClick={keepPort} />}
      {url && (
        <a className="button" href={url}>
          {t(TEXT.confirm)}
        </a>
      )}
      <CallButton call={cancelPort} label={t(CONFIRMATION.undo)} onClick={undoPort} />
    </div>
  )
}
