import { EVERY_DAY, type Schedule, type ScheduleRule } from '../../../contract/stream/schedule.ts'
import { FieldMessage } from '../../form/labelled-field.tsx'
import { SelectField } from '../../form/select-field.tsx'
import type { FieldBinding } from '../../form/use-form.ts'
import { verbText } from '../../parts/actions.tsx'
import { weekday } from '../../text/dates.ts'
import { type Translation, t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { TEXT } from './text.ts'

const DAYS = [0, 1, 2, 3, 4, 5, 6]

/** Schedule on which the channel starts and stops: weekdays, start and stop time, and the time zone of all rules. */
export function ScheduleField({ name, value: { zone, rules }, error, onValueChange, onBlur }: FieldBinding<Schedule>) {
  const replaceRule = (index: number, ...replacement: ScheduleRule[]) =>
    onValueChange({ zone, rules: rules.toSpliced(index, 1, ...replacement) })
  return (
    <fieldset className="field">
      <legend>{t(TEXT.schedule)}</legend>
      {rules.map((rule, index) => {
        const time = (part: 'start' | 'stop', verb: Translation) => (
          <input
            type="time"
            aria-label={verbText(verb)}
            value={rule[part]}
            onInput={(event) => replaceRule(index, { ...rule, [part]: event.currentTarget.value })}
          />
        )
        return (
          <fieldset key={index} className="field stack" aria-label={String(index + 1)}>
            <div className="row">
              {DAYS.map((day) => (
                <Button
                  key={day}
                  label={weekday(day)}
                  pressed={(rule.days & (1 << day)) > 0}
                  onClick={() => replaceRule(index, { ...rule, days: rule.days ^ (1 << day) })}
                />
              ))}
            </div>
            <div className="beside">
              {time('start', TEXT.start)}
              {time('stop', TEXT.stop)}
              <Button iconOnly icon="delete" label={verbText(TEXT.remove)} onClick={() => replaceRule(index)} />
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
          onValueChange={(newZone) => onValueChange({ zone: newZone, rules })}
          onBlur={onBlur}
        />
      )}
      <Button
        icon="plus"
        label={t(TEXT.addTimes)}
        onClick={() =>
          onValueChange({
            // The first rule sets the time zone of the browser.
            zone: rules.length > 0 ? zone : Intl.DateTimeFormat().resolvedOptions().timeZone,
            rules: [...rules, { days: EVERY_DAY, start: '', stop: '' }]
          })
        }
      />
      <FieldMessage id={name} error={error} hint={t(TEXT.byHand)} />
    </fieldset>
  )
}
