import type { LogType } from '../../../contract/log.ts'
import { DateField } from '../../form/date-field.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { LOG_LEVELS, logLevelText } from '../../parts/log-level.tsx'
import { $channels } from '../../state/channels.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { useStore } from '../../ui/use-store.ts'
import { type FilterName, setFilter } from './filter.ts'
import { TEXT } from './text.ts'

/** The channel or device whose entries alone are shown, with a button that shows all. */
function ObjectFilter({ query }: { query: URLSearchParams }) {
  const { items } = useStore($channels)
  const id = query.get('channel')
  const sn = query.get('sn')
  const channel = id && (items.find((each) => String(each.id) === id)?.name ?? id)
  return (
    <>
      {channel && <Button icon="close" label={t(TEXT.ofChannel, channel)} onClick={() => setFilter({ channel: '' })} />}
      {sn && <Button icon="close" label={t(TEXT.ofDevice, sn)} onClick={() => setFilter({ sn: '' })} />}
    </>
  )
}

/** Filters of a log other than the search text. Their values are kept in the URL. */
export function Filters({ type, query }: { type: LogType; query: URLSearchParams }) {
  const bindFilter = (name: FilterName) => ({
    name,
    value: query.get(name) ?? '',
    onValueChange: (value: string) => setFilter({ [name]: value }),
    onBlur() {}
  })
  return (
    <div className="filters">
      <ObjectFilter query={query} />
      <DateField {...bindFilter('from')} label={t(TEXT.from)} time />
      <DateField {...bindFilter('to')} label={t(TEXT.to)} time />
      {type === 'operation' ? (
        <>
          <SelectField
            {...bindFilter('result')}
            label={t(TEXT.result)}
            placeholder={t(TEXT.any)}
            options={[
              { value: 'ok', label: t(TEXT.done) },
              { value: 'failed', label: t(TEXT.refused) }
            ]}
          />
          <SearchBox
            label={t(TEXT.user)}
            value={query.get('user') ?? ''}
            onSearch={(user) => setFilter({ user: user.trim() })}
          />
        </>
      ) : (
        <SelectField
          {...bindFilter('level')}
          label={t(TEXT.level)}
          placeholder={t(TEXT.any)}
          options={LOG_LEVELS.map((level) => ({ value: String(level), label: logLevelText(level) }))}
        />
      )}
    </div>
  )
}
