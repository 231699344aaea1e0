// The schedule on which a channel starts and stops. Read-only without the permission to edit channels.
import { useLayoutEffect, useState } from 'react'
import { listLog } from '../../../contract/log.ts'
import type { RuleSet } from '../../../contract/rules/rules.ts'
import { scheduleRules, slotFaults } from '../../../contract/rules/schedule.ts'
import { type Channel, setChannel } from '../../../contract/stream/channel.ts'
import type { CalendarConflict } from '../../../contract/stream/channel-calendar.ts'
import type { Schedule, ScheduleEvent, ScheduleRule } from '../../../contract/stream/schedule.ts'
import {
  instantOf,
  mergePeriods,
  type Period,
  type SchedulePeriod,
  schedulePeriods
} from '../../../contract/stream/schedule-periods.ts'
import { type Form, useForm } from '../../form/use-form.ts'
import { nextChangeText } from '../../parts/channel/channel-state.ts'
import { SaveBar, useUnsaved } from '../../parts/save-bar.tsx'
import { READ_ONLY } from '../../parts/settings/settings-form.tsx'
import { linkTo } from '../../paths.ts'
import { setQuery } from '../../state/location.ts'
import { $isAllowed } from '../../state/session.ts'
import { browserZone } from '../../text/dates.ts'
import { type Translation, t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { isAtMost, useScreenSize } from '../../ui/screen-size.ts'
import { useStore } from '../../ui/use-store.ts'
import { $calendar, $request, ConflictsCard } from './conflicts.tsx'
import { TEXT } from './dialog-text.ts'
import { addRule, moveSlot, replaceSlot, type Slot } from './move-slot.ts'
import { ScheduleField } from './schedule-field.tsx'
import { slotText } from './schedule-text.ts'
import { SlotDialog } from './slot-dialog.tsx'
import { saveConfig } from './store.ts'
import { dayName, markTexts, useWeek, type Week, WeekBar, WeekCalendar, type WeekEntry } from './week.tsx'
import type { WeekChange, WeekEditing } from './week-drag.ts'

interface Values {
  schedule: Schedule
}

const RULES: RuleSet<Values> = { schedule: scheduleRules }

const EDIT_TEXT = {
  calendar: ['Calendar of all channels', '所有频道的日历'],
  changes: ['Who changed it', '更改记录'],
  hint: [
    'Drag a time or its edge, or use the arrow keys: with Shift for its end, with Alt for 5 minutes. Enter opens it.',
    '可拖动时段或其边缘，或使用方向键：加 Shift 调整结束时间，加 Alt 以 5 分钟为单位。按 Enter 打开。'
  ]
} as const satisfies Record<string, Translation>

/** The schedule without the times that are not complete in the form. All keep their places. */
function completeTimes({ zone, rules, events = [] }: Schedule): Schedule {
  const isComplete = (slot: ScheduleRule | ScheduleEvent) => Object.keys(slotFaults(slot)).length === 0
  return {
    zone,
    rules: rules.map((rule) => (isComplete(rule) ? rule : { days: 0, start: '00:00', stop: '00:00' })),
    events: events.map((event) => (isComplete(event) ? event : { start: '1970-01-01T00:00', stop: '1970-01-01T00:00' }))
  }
}

const keyOf = ({ rule, event, from }: SchedulePeriod) => `${rule} ${event} ${from}`

/** When other channels use a source or a decoder of this one during these periods. */
function conflictsWith(periods: readonly Period[], uses: readonly CalendarConflict[]): CalendarConflict[] {
  const merged = mergePeriods(periods)
  return uses.flatMap((use) =>
    merged
      .map(({ from, to }) => ({ ...use, from: Math.max(from, use.from), to: Math.min(to, use.to) }))
      .filter(({ from, to }) => to > from)
  )
}

/** 'Mon Tue 09:00–10:00 Conflict': a rule or an event after a change. */
function changeText({ rules, events = [] }: Schedule, { rule = -1, event = -1 }: Slot, entries: WeekEntry[]): string {
  const marks = entries
    .filter(({ key }) => key.startsWith(`${rules[rule] ? rule : undefined} ${events[event] ? event : undefined} `))
    .flatMap(markTexts)
  return [slotText(rules[rule] ?? events[event] ?? {}), ...new Set(marks)].join(' ')
}

/** Moves the focus to an entry that is rendered next, else to another one of its rule, else to the week. */
function useEntryFocus(): (period: SchedulePeriod) => void {
  const [target, setTarget] = useState<SchedulePeriod>()
  useLayoutEffect(() => {
    if (!target) return
    const week = document.querySelector<HTMLElement>('.week')
    const find = (selector: string) => week?.querySelector<HTMLElement>(selector)
    const place = `${target.rule} ${target.event} `
    const element = find(`[data-entry="${keyOf(target)}"]`) ?? find(`[data-entry^="${place}"]`) ?? week
    element?.focus()
  }, [target])
  return setTarget
}

/** The entries of the week of a schedule that may not be saved yet, and their conflicts with other channels. */
function useWeekEntries({ id }: Channel, schedule: Schedule, { from, to }: Week) {
  useLayoutEffect(() => $request.set({ from, to, channel: id }), [from, to, id])
  const calendar = useStore($calendar).value
  const periods = schedulePeriods(completeTimes(schedule), from, to)
  const byHand = calendar?.list.filter((entry) => entry.channel === id && entry.manual) ?? []
  const started = byHand.filter(({ manual }) => manual === 'start')
  const isStopped = (period: SchedulePeriod) => byHand.some((entry) => keyOf(entry) === keyOf(period))
  const running = [...periods.filter((period) => !isStopped(period)), ...started]
  const { rules, events = [] } = schedule
  const conflicts =
    rules.length + events.length > 0
      ? conflictsWith(running, calendar?.uses ?? [])
      : (calendar?.conflicts.filter(({ channels }) => channels.some((other) => other.id === id)) ?? [])
  const entryOf = (period: SchedulePeriod): WeekEntry => ({
    from: period.from,
    to: period.to,
    key: keyOf(period),
    isConflict: conflicts.some((each) => each.from < period.to && each.to > period.from)
  })
  const entries = [
    ...started.map((entry): WeekEntry => ({ ...entryOf(entry), manual: 'start' })),
    ...periods.map(
      (period): WeekEntry => ({
        ...entryOf(period),
        isOverlap: periods.some((other) => other !== period && other.from < period.to && other.to > period.from),
        ...(isStopped(period) && { manual: 'stop' })
      })
    )
  ]
  return { periods, entries, conflicts, calendar }
}

/** The form with the schedule. `restore` discards what is not saved. */
function useScheduleForm(channel: Channel) {
  const saved: Values = { schedule: channel.config.schedule ?? { zone: 'UTC', rules: [] } }
  const restore = () => form.setValues(saved)
  const form: Form<Values> = useForm(RULES, saved, ({ schedule }) =>
    saveConfig(channel, { schedule }, { isShownElsewhere: form.showsError, onUndo: restore })
  )
  return { form, unsaved: useUnsaved(form, saved), restore }
}

export function ScheduleTab({ channel }: { channel: Channel }) {
  const { id } = channel
  const nextChange = nextChangeText(channel)
  const isAllowed = useStore($isAllowed)
  const mayEdit = isAllowed(setChannel)
  const isNarrow = isAtMost('xs', useScreenSize())
  const { form, unsaved, restore } = useScheduleForm(channel)
  const { schedule } = form.values
  const { rules, events = [] } = schedule
  // The first entry sets the time zone of the browser.
  const week = useWeek(rules.length + events.length > 0 ? schedule.zone : browserZone())
  const { zone, from, to, clock } = week
  const [preview, setPreview] = useState<Schedule>()
  const [changed, setChanged] = useState<Slot>()
  const shown = preview ?? schedule
  const { periods, entries, conflicts, calendar } = useWeekEntries(channel, shown, week)
  const focusEntry = useEntryFocus()
  /** The schedule after a change in the week, with the rule or event that changed. */
  function scheduleAfter({ entry, ...period }: WeekChange): { next: Schedule; slot: Slot } {
    const slot = entry && periods.find((each) => keyOf(each) === entry.key)
    if (!slot) return { next: addRule(schedule, zone, period), slot: { rule: rules.length } }
    return { next: moveSlot(schedule, slot, entry.from, period), slot }
  }
  const editing: WeekEditing = {
    onPreview: (change) => {
      const after = change && scheduleAfter(change)
      setPreview(after?.next)
      setChanged(after?.slot)
    },
    onChange: (change) => {
      const { next, slot } = scheduleAfter(change)
      if (change.to <= clock(from) || change.from >= clock(to)) setQuery({ week: dayName(change.from) })
      form.setValues({ schedule: next })
      setChanged(slot)
      focusEntry({ ...slot, from: instantOf(change.from, clock), to })
    },
    async onOpen(key) {
      const period = periods.find((each) => keyOf(each) === key)
      const slot = rules[period?.rule ?? -1] ?? events[period?.event ?? -1]
      if (!period || !slot) return
      function onReplace(next?: ScheduleRule | ScheduleEvent): void {
        form.setValues({ schedule: replaceSlot(schedule, period as SchedulePeriod, next) })
        setChanged(next && period)
      }
      await openDialog(SlotDialog, { slot, onReplace })
      focusEntry({ ...period })
    }
  }
  return (
    <form className="stack" noValidate onSubmit={form.submit}>
      {nextChange && <p>{nextChange}.</p>}
      {!mayEdit && <p className="muted">{t(READ_ONLY)}</p>}
      <WeekBar week={week} hubZone={calendar?.zone}>
        <a href={`#${linkTo('channelCalendar')}`}>{t(EDIT_TEXT.calendar)}</a>
        {isAllowed(listLog) && <a href={`#${linkTo('logs', { channel: String(id) })}`}>{t(EDIT_TEXT.changes)}</a>}
      </WeekBar>
      <WeekCalendar
        week={week}
        label={t(TEXT.schedule)}
        entries={entries}
        hours
        editing={mayEdit ? editing : undefined}
      />
      {mayEdit && !isNarrow && (
        <p className="muted" role="status">
          {changed && (preview || unsaved.length > 0) ? changeText(shown, changed, entries) : t(EDIT_TEXT.hint)}
        </p>
      )}
      <ConflictsCard week={week} conflicts={conflicts} more={calendar?.['more-uses']} />
      <fieldset className="field" disabled={!mayEdit}>
        <Card title={t(TEXT.schedule)}>
          <ScheduleField {...form.field('schedule')} />
        </Card>
      </fieldset>
      <SaveBar busy={form.busy} unsaved={unsaved.map(() => t(TEXT.schedule))} onDiscard={restore} />
    </form>
  )
}
