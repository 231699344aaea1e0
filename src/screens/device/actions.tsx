// What can be done to devices, to one or to many. An action is data; who may not do it sees why.
import { useState } from 'react'
import type { Call, Envelope } from '../../../contract/call.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import type { Device, SerialResults, Serials } from '../../../contract/device.ts'
import { $may } from '../../state/session.ts'
import { showTip } from '../../state/tip.ts'
import { codeText } from '../../text/codes.ts'
import { type Pair, t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { confirm } from '../../ui/confirm.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { useStore } from '../../ui/use-store.ts'
import { type DeviceList, onDevices } from './store.ts'
import { TEXT } from './text.ts'

export interface Action {
  call: Call<Serials, SerialResults>
  icon: IconName
  one: Pair
  /** With the number of devices. */
  many: Pair
  kind?: 'main' | 'danger'
  /** The question before it. */
  ask?: { title: Pair; text: Pair }
}

/** Does it, after the question, and tells what became of each device when not all went well. */
async function run(
  { call, ask, one, many, kind }: Action,
  devices: readonly Device[],
  list: DeviceList
): Promise<boolean> {
  const [first] = devices
  if (!first) return false
  const several = devices.length > 1
  const verb = several ? t(many, devices.length) : t(one)
  const what = several ? t(TEXT.these, devices.length) : first.name
  if (ask && !(await confirm({ title: t(ask.title, what), text: t(ask.text), verb, danger: kind === 'danger' })))
    return false
  const reply = await onDevices(
    call,
    devices.map((device) => device.sn),
    list
  )
  tellEach(reply, devices, verb)
  return reply.result === SUCCESS
}

function tellEach(
  { details = [] }: Partial<SerialResults> & Envelope,
  devices: readonly Device[],
  title: string
): void {
  const failed = details.filter(({ result }) => result !== SUCCESS)
  if (failed.length === 0 || details.length === 1) return
  const nameOf = (sn: string) => devices.find((device) => device.sn === sn)?.name ?? sn
  const said = failed.map(({ sn, result }) => `${nameOf(sn)}: ${codeText(result)}`).join('; ')
  showTip({ title, text: t(TEXT.partly, details.length - failed.length, failed.length, said) })
}

interface RowActionsProps {
  actions: readonly Action[]
  device: Device
  list: DeviceList
}

/** The actions at the end of a row, or on a tile. */
export function RowActions({ actions, device, list }: RowActionsProps) {
  return (
    <span className="row-actions">
      {actions.map((action) => (
        <ActionButton key={action.icon} action={action} devices={[device]} list={list} />
      ))}
    </span>
  )
}

interface ChosenActionsProps {
  actions: readonly Action[]
  devices: readonly Device[]
  list: DeviceList
  /** Nothing is left to do with the chosen ones. */
  onDone: () => void
}

/** The same for chosen rows, with their number in the verb. */
export function ChosenActions({ actions, devices, list, onDone }: ChosenActionsProps) {
  return (
    <>
      {actions.map((action) => (
        <ActionButton key={action.icon} action={action} devices={devices} list={list} worded onDone={onDone} />
      ))}
    </>
  )
}

interface ActionButtonProps {
  action: Action
  devices: readonly Device[]
  list: DeviceList
  worded?: boolean
  onDone?: () => void
}

function ActionButton({ action, devices, list, worded, onDone }: ActionButtonProps) {
  const may = useStore($may)(action.call)
  const [busy, setBusy] = useState(false)
  const act = async () => {
    setBusy(true)
    const done = await run(action, devices, list)
    setBusy(false)
    if (done) onDone?.()
  }
  const main = action.kind === 'main'
  return (
    <Button
      label={worded && devices.length > 1 ? t(action.many, devices.length) : t(action.one)}
      icon={action.icon}
      bare={!worded && !main}
      kind={worded || main ? action.kind : undefined}
      busy={busy}
      disabled={!may}
      tip={may ? undefined : t(TEXT.noPermission)}
      onClick={act}
    />
  )
}
