// The filter bar of problems, timelines and logs.
import type { ReactNode } from 'react'
import { DateField } from '../../form/date-field.tsx'
import { minuteOf } from '../../form/day.ts'
import { SelectField } from '../../form/select-field.tsx'
import { $channels } from '../../state/channels.ts'
import { setQuery, useQuery } from '../../state/location.ts'
import { type Translation, t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { PhoneFold } from '../../ui/phone-fold.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { useStore } from '../../ui/use-store.ts'
import { LOG_LEVELS, logLevelText } from '../log-level.tsx'
import { type FilterName, setFilter, timeOf, timeText } from './filter.ts'
import { TEXT } from './text.ts'

/** Periods until now, in hours. */
const PERIODS = [1, 12, 24, 72, 168]

/** A choice of some kinds of entries. */
export function KindButtons<Kind extends string>({ names }: { names: Readonly<Record<Kind, Translation>> }) {
  const kinds = Object.keys(names) as Kind[]
  const shown = useQuery().get('kinds')?.split(',') ?? []
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a toolbar
    <div className="row" role="group" aria-label={t(TEXT.kinds)}>
      {kinds.map((kind) => (
        <Button
          key={kind}
          label={t(names[kind])}
          pressed={shown.includes(kind)}
          onClick={() => setQuery({ kinds: kinds.filter((each) => shown.includes(each) !== (each === kind)).join() })}
        />
      ))}
    </div>
  )
}

/** The start and the end of a period. */
export function PeriodFields() {
  const query = useQuery()
  const bind = (name: 'from' | 'to', label: Translation) => {
    const time = timeOf(query.get(name))
    return {
      name,
      label: t(label),
      value: time === undefined ? '' : minuteOf(time),
      onValueChange: (text: string) => setFilter({ [name]: timeText(timeOf(text)) })
    }
  }
  return (
    <>
      <DateField {...bind('from', TEXT.from)} time />
      <DateField {...bind('to', TEXT.to)} time />
    </>
  )
}

interface FilterBarProps {
  /** Filters of the page. */
  names: readonly FilterName[]
  /** Actions of the page. */
  children?: ReactNode
}

/** On a phone, a button shows what would otherwise take more room than the list. */
export function FilterBar({ names, children }: FilterBarProps) {
  const query = useQuery()
  return (
    <>
      <SearchBox label={t(TEXT.search)} value={query.get('key') ?? ''} onSearch={(key) => setFilter({ key })} />
      {names.some((name) => query.get(name)) && (
        <Button
          label={t(TEXT.unfilter)}
          icon="close"
          onClick={() => setFilter(Object.fromEntries(names.map((name) => [name, ''])))}
        />
      )}
      <PhoneFold>
        {names.includes('user') && (
          <SearchBox
            label={t(names.includes('result') ? TEXT.user : TEXT.userOrToken)}
            value={query.get('user') ?? ''}
            onSearch={(user) => setFilter({ user: user.trim() })}
          />
        )}
        {children}
        <Fields names={names} query={query} />
      </PhoneFold>
    </>
  )
}

function Fields({ names, query }: Pick<FilterBarProps, 'names'> & { query: URLSearchParams }) {
  const { items } = useStore($channels)
  const bind = (name: FilterName) => ({
    name,
    value: query.get(name) ?? '',
    onValueChange: (value: string) => setFilter({ [name]: value }),
    placeholder: t(TEXT.all)
  })
  const sn = query.get('sn')
  const channel = query.get('channel')
  const channels = items.map(({ id, name }) => ({ value: String(id), label: name }))
  // Of a channel that the user does not see, only the number is known.
  if (channel && !channels.some(({ value }) => value === channel)) channels.push({ value: channel, label: channel })
  return (
    <div className="filters">
      {sn && <Button icon="close" label={t(TEXT.ofDevice, sn)} onClick={() => setFilter({ sn: '' })} />}
      {names.includes('channel') && channels.length > 0 && (
        <SelectField {...bind('channel')} label={t(TEXT.channel)} options={channels} />
      )}
      {names.includes('from') && (
        <>
          <SelectField
            {...bind('from')}
            name="period"
            value=""
            label={t(TEXT.period)}
            options={PERIODS.map((hours) => ({
              value: String(hours),
              label: hours > 24 ? t(TEXT.days, hours / 24) : t(TEXT.hours, hours)
            }))}
            onValueChange={(hours) =>
              setFilter({ from: hours && timeText(Date.now() - Number(hours) * 3_600_000), to: '' })
            }
          />
          <PeriodFields />
        </>
      )}
      {names.includes('level') && (
        <SelectField
          {...bind('level')}
          label={t(TEXT.level)}
          options={LOG_LEVELS.map((level) => ({ value: String(level), label: logLevelText(level) }))}
        />
      )}
      {names.includes('result') && (
        <SelectField
          {...bind('result')}
          label={t(TEXT.result)}
          options={[
            { value: 'ok', label: t(TEXT.done) },
            { value: 'failed', label: t(TEXT.refused) }
          ]}
        />
      )}
    </div>
  )
}
