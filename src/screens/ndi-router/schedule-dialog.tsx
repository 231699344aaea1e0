// Scheduled takes.
import {
  deleteScheduledTake,
  type SalvoFields,
  SCHEDULE_DAYS_MAX,
  SCHEDULED_TAKES_MAX,
  type ScheduledTake,
  type Take,
  takeRoutes
} from '../../../contract/ndi/router.ts'
import { matrixLabel } from '../../../contract/rules/matrix.ts'
import type { RuleSet } from '../../../contract/rules/rules.ts'
import { DateField } from '../../form/date-field.tsx'
import { FormDialog } from '../../form/form-dialog.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { CallButton } from '../../parts/actions.tsx'
import { appointment, dateTime } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { callerText } from '../../text/response-message.ts'
import { hubNow } from '../../ui/clock.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { TEXT } from './dialog-text.ts'
import { type MatrixDialogProps, MatrixListDialog } from './matrix-list-dialog.tsx'
import { removeScheduled, scheduleTakes } from './store.ts'
import { TakesTable } from './take-dialog.tsx'
import { TakesField } from './takes-field.tsx'
import { TEXT as ROUTER_TEXT } from './text.ts'
import { useDialogMatrix, useStructureChange } from './use-matrix.ts'

/** All scheduled takes of a matrix, next first. */
export function SchedulesDialog({ matrixId, onClose }: MatrixDialogProps) {
  const matrix = useDialogMatrix(matrixId, onClose)
  if (!matrix) return null
  const { scheduled } = matrix
  const remove = async (item: ScheduledTake) => {
    const label = t(TEXT.removeSchedule, item.name)
    const text = t(TEXT.removeScheduleText, dateTime(item.at * 1000))
    if (await confirm({ title: t(ROUTER_TEXT.removeQuestion, item.name), text, confirmLabel: label, danger: true }))
      await removeScheduled(matrix, item)
  }
  const openForm = () => openDialog(ScheduleDialog, { matrixId, initial: { name: '', takes: [] } })
  return (
    <MatrixListDialog
      title={t(ROUTER_TEXT.schedule)}
      add={{ call: takeRoutes, label: t(TEXT.addSchedule), onClick: openForm }}
      count={scheduled.length}
      max={SCHEDULED_TAKES_MAX}
      emptyText={t(TEXT.noSchedules)}
      maxText={t(TEXT.schedulesMax, SCHEDULED_TAKES_MAX)}
      onClose={onClose}
    >
      {scheduled.map((item) => (
        <section key={item.id} className="stack scheduled">
          <div className="row">
            <strong className="num">{appointment(item.at * 1000)}</strong>
            <span>{item.name}</span>
            <small>{t(TEXT.scheduledBy, callerText({ name: item.by, token: item.token }))}</small>
            <span className="push">
              <CallButton
                call={deleteScheduledTake}
                iconOnly
                icon="delete"
                label={t(TEXT.removeSchedule, item.name)}
                onClick={() => remove(item)}
              />
            </span>
          </div>
          <TakesTable matrix={matrix} takes={item.takes} />
        </section>
      ))}
    </MatrixListDialog>
  )
}

interface Values {
  name: string
  /** Time of the browser, `2026-03-01T09:30`. */
  at: string
  takes: readonly Take[]
}

const millisecondsOf = (at: string) => new Date(at).getTime()

const RULES: RuleSet<Values> = {
  name: matrixLabel,
  at(value) {
    if (value === '') return { name: 'required' }
    const wait = millisecondsOf(value) - hubNow()
    return wait > 0 && wait < SCHEDULE_DAYS_MAX * 86_400_000 ? undefined : { name: 'invalid' }
  },
  takes: ({ length }) => (length === 0 ? { name: 'required' } : undefined)
}

interface ScheduleDialogProps extends MatrixDialogProps {
  initial: SalvoFields
}

/** Schedules a take. */
export function ScheduleDialog({ matrixId, initial, onClose }: ScheduleDialogProps) {
  const matrix = useDialogMatrix(matrixId, onClose)
  const form = useForm<Values>(
    RULES,
    { name: initial.name, at: '', takes: initial.takes },
    async ({ name, at, takes }, options) =>
      matrix && scheduleTakes(matrix, { name, at: Math.floor(millisecondsOf(at) / 1000), takes: [...takes] }, options),
    { onSuccess: () => onClose(true) }
  )
  useStructureChange(matrix, () => form.setValues({ takes: [] }))
  if (!matrix) return null
  const { salvos } = matrix
  return (
    <FormDialog form={form} title={t(TEXT.addSchedule)} onClose={onClose}>
      <TextField {...form.field('name')} label={t(TEXT.name)} autoFocus />
      <DateField {...form.field('at')} time label={t(TEXT.time)} hint={t(TEXT.timeHint)} />
      {salvos.length > 0 && (
        <div className="field">
          <label htmlFor="fill-salvo">{t(TEXT.fromSalvo)}</label>
          <select
            id="fill-salvo"
            value=""
            onChange={({ currentTarget }) => {
              const salvo = salvos.find(({ id }) => String(id) === currentTarget.value)
              if (salvo) form.setValues({ takes: salvo.takes, name: form.values.name || salvo.name })
            }}
          >
            <option value="">{t(TEXT.chooseSalvo)}</option>
            {salvos.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </div>
      )}
      <TakesField {...form.field('takes')} matrix={matrix} />
    </FormDialog>
  )
}
