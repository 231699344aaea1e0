// The ports of the hub, each with what holds it closed, and a change that waits for its confirmation.
import { portOrDefault } from '../../../contract/rules/number.ts'
import { SETTING_RIGHTS, setSettings } from '../../../contract/settings.ts'
import {
  cancelPort,
  confirmPort,
  type HlsState,
  type HubPort,
  listPorts,
  PORT_CONFIRM_TIME,
  type PortTrial
} from '../../../contract/web/ports.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SwitchField } from '../../form/switch-field.tsx'
import { NumberField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { send } from '../../link/send.ts'
import { sendMutation } from '../../state/mutations.ts'
import { $isAllowed } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { number } from '../../text/numbers.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { Card } from '../../ui/card.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { CallButton } from '../actions.tsx'
import { TEXT as CONFIRMATION } from '../confirmation/text.ts'
import { usePlaceholder } from '../load-state.tsx'
import { $confirmUrl, $ports, changePort, isShared, keepPort, undoPort } from './store.ts'
import { PORTS, TEXT } from './text.ts'

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
          {t(isShared(last.name) ? TEXT.sharedUndone : TEXT.notConfirmed, t(PORTS[last.name]), last.port)}
        </p>
      )}
      <DescriptionList
        items={list.map((port) => [
          t(PORTS[port.name]),
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
        label={t(TEXT.change, t(PORTS[port.name]))}
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
      <span>{t(TEXT.waiting, t(PORTS[trial.name]), trial.port, trial['remaining-s'])}</span>
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

/** The permission for the switch, as that of a call. */
const EDIT_HLS = { ...setSettings, access: SETTING_RIGHTS.hls.edit }

const setHls = (enable: boolean) =>
  sendMutation(setSettings, { hls: { enable } }, { success: { text: OUTCOME.settingsSaved, names: ['HLS'] } })

/** Turns HLS off after a confirmation, which says what stops. */
async function turnOff(known: HlsState): Promise<void> {
  // The numbers on the page may be seconds old.
  const { running, players } = (await send(listPorts, {})).hls ?? known
  const label = t(TEXT.stopHls)
  const text = running > 0 ? t(TEXT.stopHlsText, number(running), number(players)) : t(TEXT.stopHlsIdle)
  if (await confirm({ text, confirmLabel: label, danger: running > 0 })) await setHls(false)
}

function HlsSwitch({ hls }: { hls: HlsState }) {
  const mayEdit = useStore($isAllowed)(EDIT_HLS)
  return (
    <fieldset className="field" disabled={!mayEdit}>
      <SwitchField
        name="enable-hls"
        value={hls.enable}
        label={t(TEXT.serveHls)}
        hint={t(TEXT.serveHlsHint)}
        onValueChange={(isOn) => void (isOn ? setHls(true) : turnOff(hls))}
      />
    </fieldset>
  )
}

// Dialog that changes one port of the hub.
interface Values {
  port: string
}

interface PortDialogProps {
  port: HubPort
  /** The page to which the console returns at the new port. */
  returnTo: string
  onClose: () => void
}

const HINTS = {
  http: TEXT.httpHint,
  https: TEXT.httpHint,
  link: TEXT.linkHint,
  files: TEXT.filesHint,
  srt: TEXT.sharedHint,
  rtmp: TEXT.sharedHint
} as const

function PortDialog({ port, returnTo, onClose }: PortDialogProps) {
  const form = useForm<Values>(
    { port: portOrDefault({ default: port.default }) },
    { port: String(port.port ?? port.setting) },
    (values, options) => changePort(port, Number(values.port), returnTo, options),
    { onSuccess: onClose, fieldOfWireName: { [`web.${port.name}-port`]: 'port', [`${port.name}.port`]: 'port' } }
  )
  return (
    <FormDialog form={form} title={t(TEXT.change, t(PORTS[port.name]))} onClose={onClose}>
      <NumberField
        {...form.field('port')}
        label={t(TEXT.port)}
        hint={t(TEXT.hint, port.default, t(HINTS[port.name]))}
        autoFocus
      />
      <p className="muted">{t(isShared(port.name) ? TEXT.proceedShared : TEXT.proceed, PORT_CONFIRM_TIME)}</p>
    </FormDialog>
  )
}
