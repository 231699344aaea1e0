import type { LogType } from '../../../contract/log.ts'
import { DateField } from '../../form/date-field.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { LOG_LEVELS, logLevelText } from '../../parts/log-level.tsx'
import { t } from '../../text/language.ts'
import { SearchBox } from '../../ui/search-box.tsx'
import { type FilterName, setFilter } from './filter.ts'
import { TEXT } from './text.ts'

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
