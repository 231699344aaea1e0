import { useId } from 'react'
import type { Fault } from '../../../contract/rules/rules.ts'
import { scheduleRules, slotFaults } from '../../../contract/rules/schedule.ts'
import type { Schedule, ScheduleEvent, ScheduleRule } from '../../../contract/stream/schedule.ts'
import { FieldMessage, LabelledField } from '../../form/labelled-field.tsx'
import { SelectField } from '../../form/select-field.tsx'
import type { FieldBinding } from '../../form/use-form.ts'
import { verbText } from '../../parts/actions.tsx'
import { browserZone, weekday } from '../../text/dates.ts'
import { faultText } from '../../text/faults.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { TEXT } from './dialog-text.ts'
import { DAYS } from './schedule-text.ts'
import * as CHANNEL_TEXT from './text.ts'

interface SlotFieldsProps<Slot extends ScheduleEvent> {
  slot: Slot
  /** Whether the form shows its errors. */
  showErrors: boolean
  onChange: (replacement: Slot) => void
  /** Without it, there is no button that removes the slot. */
  onRemove?: () => void
}

interface TimeFieldsProps<Slot extends ScheduleEvent> extends SlotFieldsProps<Slot> {
  type: 'time' | 'datetime-local'
}

const faultSentence = (fault?: Fault) => fault && faultText(fault)

/** Start and stop of a weekly rule or of a single event, and the button that removes it. */
function TimeFields<Slot extends ScheduleEvent>(props: TimeFieldsProps<Slot>) {
  const { type, slot, showErrors, onChange, onRemove } = props
  const faults = showErrors ? slotFaults(slot) : {}
  // Times of a weekly rule are shorter than those of a date and sort as text.
  const isNextDay = type === 'time' && slot.start !== '' && slot.stop !== '' && slot.stop <= slot.start
  const stopHint = isNextDay ? t(slot.stop === slot.start ? TEXT.wholeDay : TEXT.nextDay) : undefined
  const field = (part: 'start' | 'stop', label: string, hint?: string) => (
    <LabelledField
      name={part}
      label={label}
      hint={hint}
      value={slot[part]}
      error={faultSentence(faults[part])}
      onValueChange={(value) => onChange({ ...slot, [part]: value })}
    >
      {(control) => <input {...control} type={type} />}
    </LabelledField>
  )
  return (
    <div className="slot" data-type={type}>
      {field('start', t(TEXT.startField))}
      {field('stop', t(TEXT.stopField), stopHint)}
      {onRemove && <Button iconOnly icon="delete" label={verbText(CHANNEL_TEXT.remove)} onClick={onRemove} />}
    </div>
  )
}

/** Days, start and stop of a weekly rule. */
export function RuleFields(props: SlotFieldsProps<ScheduleRule>) {
  const { slot, showErrors, onChange } = props
  return (
    <>
      <div className="row">
        {DAYS.map((day) => (
          <Button
            key={day}
            label={weekday(day)}
            pressed={(slot.days & (1 << day)) > 0}
            onClick={() => onChange({ ...slot, days: slot.days ^ (1 << day) })}
          />
        ))}
      </div>
      <FieldMessage id={useId()} error={showErrors ? faultSentence(slotFaults(slot).days) : undefined} />
      <TimeFields type="time" {...props} />
    </>
  )
}

/** Start and stop of a single event. */
export const EventFields = (props: SlotFieldsProps<ScheduleEvent>) => <TimeFields type="datetime-local" {...props} />

/**
 * Whether an event has ended, as seen from the browser's time zone: only to mark it. The hub removes it by the
 * schedule's zone.
 */
const isPast = ({ stop }: ScheduleEvent) => stop !== '' && new Date(stop).getTime() < Date.now()

/** Schedule on which the channel starts and stops: weekly rules, single dates, and the time zone of all of them. */
export function ScheduleField({ name, value, error, onValueChange, onBlur }: FieldBinding<Schedule>) {
  const { zone, rules, events = [] } = value
  const isEmpty = rules.length + events.length === 0
  const showErrors = error !== undefined
  const isFaultOfSlot = scheduleRules(value) !== undefined
  // The first entry sets the time zone of the browser.
  const newZone = isEmpty ? browserZone() : zone
  const setRules = (next: ScheduleRule[]) => onValueChange({ ...value, zone: newZone, rules: next })
  const setEvents = (next: ScheduleEvent[]) => onValueChange({ ...value, zone: newZone, events: next })
  return (
    <fieldset className="field">
      <legend>{t(TEXT.schedule)}</legend>
      {rules.map((rule, index) => {
        const replaceRule = (...next: ScheduleRule[]) => setRules(rules.toSpliced(index, 1, ...next))
        return (
          <fieldset key={index} data-slot="" className="field stack" aria-label={String(index + 1)}>
            <RuleFields slot={rule} showErrors={showErrors} onChange={replaceRule} onRemove={() => replaceRule()} />
          </fieldset>
        )
      })}
      {events.map((event, index) => (
        <fieldset
          key={index}
          data-slot=""
          className={isPast(event) ? 'field stack muted' : 'field stack'}
          aria-label={String(rules.length + index + 1)}
        >
          {isPast(event) && <span>{t(TEXT.past)}</span>}
          <EventFields
            slot={event}
            showErrors={showErrors}
            onChange={(next) => setEvents(events.toSpliced(index, 1, next))}
            onRemove={() => setEvents(events.toSpliced(index, 1))}
          />
        </fieldset>
      ))}
      {!isEmpty && (
        <SelectField
          name={name}
          label={t(TEXT.zone)}
          value={zone}
          options={[zone, ...Intl.supportedValuesOf('timeZone')].map((option) => ({ value: option, label: option }))}
          onValueChange={(next) => onValueChange({ ...value, zone: next })}
          onBlur={onBlur}
        />
      )}
      <div className="row">
        <Button
          icon="plus"
          label={t(TEXT.addTimes)}
          onClick={() => setRules([...rules, { days: 0, start: '', stop: '' }])}
        />
        <Button icon="plus" label={t(TEXT.addEvent)} onClick={() => setEvents([...events, { start: '', stop: '' }])} />
      </div>
      <FieldMessage id={name} error={isFaultOfSlot ? undefined : error} hint={t(CHANNEL_TEXT.byHand)} />
    </fieldset>
  )
}
