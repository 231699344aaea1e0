// The schedule on which a channel starts and stops. Read-only without the permission to edit channels.
import { useLayoutEffect, useRef } from 'react'
import type { RuleSet } from '../../../contract/rules/rules.ts'
import { scheduleRules, slotFaults } from '../../../contract/rules/schedule.ts'
import { type Channel, setChannel } from '../../../contract/stream/channel.ts'
import type { Schedule, ScheduleEvent, ScheduleRule } from '../../../contract/stream/schedule.ts'
import { HOUR, schedulePeriods, weekdayOf } from '../../../contract/stream/schedule-periods.ts'
import { type Form, useForm } from '../../form/use-form.ts'
import { nextChangeText } from '../../parts/channel/channel-state.ts'
import { SaveBar, useUnsaved } from '../../parts/save-bar.tsx'
import { READ_ONLY } from '../../parts/settings/settings-form.tsx'
import { linkTo } from '../../paths.ts'
import { $isAllowed } from '../../state/session.ts'
import { browserZone, calendarTime } from '../../text/dates.ts'
import { type Translation, t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $calendar, $request, ConflictsCard } from './conflicts.tsx'
import { TEXT } from './dialog-text.ts'
import { ScheduleField } from './schedule-field.tsx'
import { saveConfig } from './store.ts'
import { useWeek, WeekBar, WeekCalendar, type WeekEntry } from './week.tsx'

interface Values {
  schedule: Schedule
}

const RULES: RuleSet<Values> = { schedule: scheduleRules }

const CALENDAR: Translation = ['Calendar of all channels', '所有频道的日历']

/** The schedule without the times that are not complete in the form. All keep their places. */
function completeTimes({ zone, rules, events = [] }: Schedule): Schedule {
  const isComplete = (slot: ScheduleRule | ScheduleEvent) => Object.keys(slotFaults(slot)).length === 0
  return {
    zone,
    rules: rules.map((rule) => (isComplete(rule) ? rule : { days: 0, start: '00:00', stop: '00:00' })),
    events: events.map((event) => (isComplete(event) ? event : { start: '1970-01-01T00:00', stop: '1970-01-01T00:00' }))
  }
}

/** The schedule with another weekly time: the hour that begins at a local time. */
function withHour(schedule: Schedule, zone: string, local: number): Schedule {
  const rule = {
    days: 1 << weekdayOf(local),
    start: calendarTime(local),
    stop: calendarTime(local + HOUR)
  }
  return { ...schedule, zone, rules: [...schedule.rules, rule] }
}

export function ScheduleTab({ channel }: { channel: Channel }) {
  const { id, config } = channel
  const nextChange = nextChangeText(channel)
  const mayEdit = useStore($isAllowed)(setChannel)
  const saved: Values = { schedule: config.schedule ?? { zone: 'UTC', rules: [] } }
  const form: Form<Values> = useForm(RULES, saved, ({ schedule }) =>
    saveConfig(channel, { schedule }, { isShownElsewhere: form.showsError, onUndo: () => form.setValues(saved) })
  )
  const unsaved = useUnsaved(form, saved)
  const { schedule } = form.values
  const { rules, events = [] } = schedule
  // The first entry sets the time zone of the browser.
  const week = useWeek(rules.length + events.length > 0 ? schedule.zone : browserZone())
  const { zone, from, to } = week
  useLayoutEffect(() => $request.set({ from, to }), [from, to])
  const calendar = useStore($calendar).value
  const conflicts = calendar?.conflicts.filter(({ channels }) => channels.some((other) => other.id === id)) ?? []
  const editor = useRef<HTMLFieldSetElement>(null)
  /** Moves the focus to the fields of a time, by its place in the form. */
  const focusTime = (place: number) =>
    editor.current?.querySelectorAll<HTMLElement>('[data-slot]')[place]?.querySelector('input')?.focus()
  const added = useRef(-1)
  useLayoutEffect(() => {
    if (added.current >= 0) focusTime(added.current)
    added.current = -1
  }, [schedule])
  function addHour(local: number): void {
    added.current = rules.length
    form.setValues({ schedule: withHour(schedule, zone, local) })
  }
  const entries = schedulePeriods(completeTimes(schedule), from, to).map(
    (period): WeekEntry => ({
      from: period.from,
      to: period.to,
      key: `${period.rule} ${period.event} ${period.from}`,
      isConflict: conflicts.some((conflict) => conflict.from < period.to && conflict.to > period.from),
      onPress: () => focusTime(period.rule ?? rules.length + (period.event ?? 0))
    })
  )
  return (
    <form className="stack" noValidate onSubmit={form.submit}>
      {nextChange && <p>{nextChange}.</p>}
      {!mayEdit && <p className="muted">{t(READ_ONLY)}</p>}
      <WeekBar week={week} hubZone={calendar?.zone}>
        <a href={`#${linkTo('channelCalendar')}`}>{t(CALENDAR)}</a>
      </WeekBar>
      <ConflictsCard week={week} conflicts={conflicts} />
      <WeekCalendar
        week={week}
        label={t(TEXT.schedule)}
        entries={entries}
        hours
        onAdd={mayEdit ? addHour : undefined}
      />
      <fieldset className="field" disabled={!mayEdit} ref={editor}>
        <Card title={t(TEXT.schedule)}>
          <ScheduleField {...form.field('schedule')} />
        </Card>
      </fieldset>
      <SaveBar busy={form.busy} unsaved={unsaved.map(() => t(TEXT.schedule))} onDiscard={() => form.setValues(saved)} />
    </form>
  )
}
