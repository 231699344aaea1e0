// Updates of the machine's hardware, such as front panel and capture cards. Shown only if the image has a program.

import {
  canCancelHardwareUpdate,
  cancelHardwareUpdate,
  type HardwareComponent,
  hardwareUpdateStatus,
  isHardwareUpdating,
  startHardwareUpdate
} from '../../../contract/hardware-update.ts'
import { INSTALLATION_STATE } from '../../../contract/installation-state.ts'
import { CallButton } from '../../parts/actions.tsx'
import { ResourceList } from '../../parts/resource-list.tsx'
import { linkTo } from '../../paths.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { sendMutation } from '../../state/mutations.ts'
import { t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import type { Column } from '../../ui/table/table.tsx'
import * as UI from '../../ui/text.ts'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './text.ts'

const $hardwareUpdate = createLiveValue({ call: hardwareUpdateStatus, pace: 'slower', topic: 'status' })

const isOffered = ({ version, offered = version }: HardwareComponent) => offered !== version

const COLUMNS: readonly Column<HardwareComponent>[] = [
  { key: 'name', title: TEXT.hardware, text: ({ name }) => name },
  {
    key: 'version',
    title: TEXT.version,
    text: (component) => (isOffered(component) ? `${component.version} → ${component.offered}` : component.version)
  },
  { key: 'state', title: TEXT.state, cell: ({ tone, text }) => <StatusLabel tone={tone} text={text} /> }
]

async function start(): Promise<void> {
  const verb = t(TEXT.updateHardware)
  if (await confirm({ text: t(TEXT.keepPower), confirmLabel: verb }))
    await sendMutation(startHardwareUpdate, {}, { success: { text: OUTCOME.started, names: [verb] } })
}

const cancel = () => sendMutation(cancelHardwareUpdate, {}, { success: { text: TEXT.discarded } })

export function HardwareUpdate() {
  const { value } = useStore($hardwareUpdate)
  if (!value?.available) return null
  const { state, progress, components, tone, text, cause } = value
  const isFailed = state === INSTALLATION_STATE.failed
  const isRunning = isHardwareUpdating(state)
  return (
    <div className="stack">
      {cause && (
        <div className="banner" role="alert">
          <span>{cause}</span>
        </div>
      )}
      <ResourceList
        store={$hardwareUpdate}
        rows={components}
        settingsKey="hardware"
        title={TEXT.hardware}
        columns={COLUMNS}
        actions={[]}
        toolbar={
          <>
            {components.some(isOffered) && !isRunning && (
              <CallButton call={startHardwareUpdate} kind="main" label={t(TEXT.updateHardware)} onClick={start} />
            )}
            <StatusLabel tone={tone} text={text} />
            {isRunning && <progress value={progress / 100} aria-label={text} />}
            {canCancelHardwareUpdate(state) && (
              <CallButton call={cancelHardwareUpdate} label={t(isFailed ? UI.dismiss : UI.cancel)} onClick={cancel} />
            )}
            {!isRunning && components.some((component) => component['needs-reboot']) && (
              <a href={`#${linkTo('reboot')}`}>{t(TEXT.reboot)}</a>
            )}
          </>
        }
      />
    </div>
  )
}
