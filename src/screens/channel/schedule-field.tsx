import { EVERY_DAY, type Schedule, type ScheduleEvent, type ScheduleRule } from '../../../contract/stream/schedule.ts'
import { FieldMessage } from '../../form/labelled-field.tsx'
import { SelectField } from '../../form/select-field.tsx'
import type { FieldBinding } from '../../form/use-form.ts'
import { verbText } from '../../parts/actions.tsx'
import { weekday } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { TEXT } from './dialog-text.ts'
import * as CHANNEL_TEXT from './text.ts'

const DAYS = [0, 1, 2, 3, 4, 5, 6]

interface TimeFieldsProps<Slot extends { start: string; stop: string }> {
  type: 'time' | 'datetime-local'
  slot: Slot
  /** @param replacement removes the slot if undefined */
  onChange: (replacement?: Slot) => void
}

/** Start and stop of a weekly rule or of a single event, and the button that removes it. */
function TimeFields<Slot extends { start: string; stop: string }>({ type, slot, onChange }: TimeFieldsProps<Slot>) {
  const field = (part: 'start' | 'stop', label: string) => (
    <label className="field">
      <span>{label}</span>
      <input
        type={type}
        value={slot[part]}
        onInput={(event) => onChange({ ...slot, [part]: event.currentTarget.value })}
      />
    </label>
  )
  return (
    <div className="beside slot">
      {field('start', t(TEXT.startField))}
      {field('stop', t(TEXT.stopField))}
      <Button iconOnly icon="delete" label={verbText(CHANNEL_TEXT.remove)} onClick={() => onChange()} />
    </div>
  )
}

/** Whether an event has ended, as seen from the browser's time zone: only to mark it. The hub removes it by the schedule's zone. */
const isPast = ({ stop }: ScheduleEvent) => stop !== '' && new Date(stop).getTime() < Date.now()

/** Schedule on which the channel starts and stops: weekly rules, single dates, and the time zone of all of them. */
export function ScheduleField({ name, value, error, onValueChange, onBlur }: FieldBinding<Schedule>) {
  const { zone, rules, events = [] } = value
  const isEmpty = rules.length + events.length === 0
  // The first entry sets the time zone of the browser.
  const newZone = isEmpty ? Intl.DateTimeFormat().resolvedOptions().timeZone : zone
  const setRules = (next: ScheduleRule[]) => onValueChange({ ...value, zone: newZone, rules: next })
  const setEvents = (next: ScheduleEvent[]) => onValueChange({ ...value, zone: newZone, events: next })
  return (
    <fieldset className="field">
      <legend>{t(TEXT.schedule)}</legend>
      {rules.map((rule, index) => {
        const replaceRule = (next?: ScheduleRule) => setRules(rules.toSpliced(index, 1, ...(next ? [next] : [])))
        return (
          <fieldset key={index} className="field stack" aria-label={String(index + 1)}>
            <div className="row">
              {DAYS.map((day) => (
                <Button
                  key={day}
                  label={weekday(day)}
                  pressed={(rule.days & (1 << day)) > 0}
                  onClick={() => replaceRule({ ...rule, days: rule.days ^ (1 << day) })}
                />
              ))}
            </div>
            <TimeFields type="time" slot={rule} onChange={replaceRule} />
          </fieldset>
        )
      })}
      {events.map((event, index) => (
        <fieldset
          key={index}
          className={isPast(event) ? 'field stack muted' : 'field stack'}
          aria-label={String(rules.length + index + 1)}
        >
          {isPast(event) && <span>{t(TEXT.past)}</span>}
          <TimeFields
            type="datetime-local"
            slot={event}
            onChange={(next) => setEvents(events.toSpliced(index, 1, ...(next ? [next] : [])))}
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
          onClick={() => setRules([...rules, { days: EVERY_DAY, start: '', stop: '' }])}
        />
        <Button icon="plus" label={t(TEXT.addEvent)} onClick={() => setEvents([...events, { start: '', stop: '' }])} />
      </div>
      <FieldMessage id={name} error={error} hint={t(CHANNEL_TEXT.byHand)} />
    </fieldset>
  )
}
