import { EVERY_DAY, type Schedule, type ScheduleRule } from '../../../contract/stream/schedule.ts'
import { Below } from '../../form/labelled.tsx'
import { SelectField } from '../../form/select-field.tsx'
import type { Bound } from '../../form/use-form.ts'
import { verbOf } from '../../parts/actions.tsx'
import { weekday } from '../../text/dates.ts'
import { type Pair, t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { TEXT } from './text.ts'

const DAYS = [0, 1, 2, 3, 4, 5, 6]

/** When a channel starts and stops by itself: on which days, from when to when, by the clock of which zone. */
export function TimesField({ name, value: { zone, rules }, fault, onValue, onLeave }: Bound<Schedule>) {
  const put = (place: number, ...some: ScheduleRule[]) => onValue({ zone, rules: rules.toSpliced(place, 1, ...some) })
  return (
    <fieldset className="field">
      <legend>{t(TEXT.schedule)}</legend>
      {rules.map((rule, place) => {
        const time = (part: 'start' | 'stop', verb: Pair) => (
          <input
            type="time"
            aria-label={verbOf(verb)}
            value={rule[part]}
            onInput={(event) => put(place, { ...rule, [part]: event.currentTarget.value })}
          />
        )
        return (
          <fieldset key={place} className="field stack" aria-label={String(place + 1)}>
            <div className="row">
              {DAYS.map((day) => (
                <Button
                  key={day}
                  label={weekday(day)}
                  pressed={(rule.days & (1 << day)) > 0}
                  onClick={() => put(place, { ...rule, days: rule.days ^ (1 << day) })}
                />
              ))}
            </div>
            <div className="beside">
              {time('start', TEXT.start)}
              {time('stop', TEXT.stop)}
              <Button bare icon="delete" label={verbOf(TEXT.remove)} onClick={() => put(place)} />
            </div>
          </fieldset>
        )
      })}
      {rules.length > 0 && (
        <SelectField
          name={name}
          label={t(TEXT.zone)}
          value={zone}
          options={[zone, ...Intl.supportedValuesOf('timeZone')].map((value) => ({ value, label: value }))}
          onValue={(next) => onValue({ zone: next, rules })}
          onLeave={onLeave}
        />
      )}
      <Button
        icon="plus"
        label={t(TEXT.addTimes)}
        onClick={() =>
          onValue({
            // The first is by the clock of who sets it.
            zone: rules.length > 0 ? zone : Intl.DateTimeFormat().resolvedOptions().timeZone,
            rules: [...rules, { days: EVERY_DAY, start: '', stop: '' }]
          })
        }
      />
      <Below id={name} fault={fault} hint={t(TEXT.byHand)} />
    </fieldset>
  )
}
