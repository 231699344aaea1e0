// Changes one time of a schedule that is being edited. It is stored with the schedule.
import { useState } from 'react'
import { slotFaults } from '../../../contract/rules/schedule.ts'
import type { ScheduleEvent, ScheduleRule } from '../../../contract/stream/schedule.ts'
import { verbText } from '../../parts/actions.tsx'
import { type Translation, t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TEXT as DIALOG_TEXT } from './dialog-text.ts'
import { EventFields, RuleFields } from './schedule-field.tsx'
import * as CHANNEL_TEXT from './text.ts'

const TEXT = {
  apply: ['Apply', '应用']
} as const satisfies Record<string, Translation>

interface SlotDialogProps {
  slot: ScheduleRule | ScheduleEvent
  /** @param next removes the time if undefined */
  onReplace: (next?: ScheduleRule | ScheduleEvent) => void
  onClose: (completed?: boolean) => void
}

export function SlotDialog({ slot, onReplace, onClose }: SlotDialogProps) {
  const [value, setValue] = useState(slot)
  const [showErrors, setShowErrors] = useState(false)
  function replace(next?: ScheduleRule | ScheduleEvent): void {
    onReplace(next)
    onClose(true)
  }
  return (
    <Dialog
      title={t(DIALOG_TEXT.schedule)}
      onClose={() => onClose()}
      onSubmit={(event) => {
        event.preventDefault()
        if (Object.keys(slotFaults(value)).length > 0) setShowErrors(true)
        else replace(value)
      }}
      footer={
        <>
          <Button label={verbText(CHANNEL_TEXT.remove)} kind="danger" onClick={() => replace()} />
          <Button submit kind="main" label={t(TEXT.apply)} />
        </>
      }
    >
      <div className="stack">
        {'days' in value ? (
          <RuleFields slot={value} showErrors={showErrors} onChange={setValue} />
        ) : (
          <EventFields slot={value} showErrors={showErrors} onChange={setValue} />
        )}
      </div>
    </Dialog>
  )
}
