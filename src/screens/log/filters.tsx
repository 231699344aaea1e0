import type { LogType } from '../../../contract/log.ts'
import { DateField } from '../../form/date-field.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { LEVEL_NUMBERS, levelText } from '../../parts/log-level.tsx'
import { t } from '../../text/language.ts'
import { SearchBox } from '../../ui/search-box.tsx'
import { type FilterName, setFilter } from './filter.ts'
import { TEXT } from './text.ts'

/** What narrows a log besides a text. Each change is a change of the address. */
export function Filters({ type, query }: { type: LogType; query: URLSearchParams }) {
  const bound = (name: FilterName) => ({
    name,
    value: query.get(name) ?? '',
    onValue: (value: string) => setFilter({ [name]: value }),
    onLeave() {}
  })
  return (
    <div className="filters">
      <DateField {...bound('from')} label={t(TEXT.from)} time />
      <DateField {...bound('to')} label={t(TEXT.to)} time />
      {type === 'operation' ? (
        <>
          <SelectField
            {...bound('result')}
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
          {...bound('level')}
          label={t(TEXT.level)}
          placeholder={t(TEXT.any)}
          options={LEVEL_NUMBERS.map((level) => ({ value: String(level), label: levelText(level) }))}
        />
      )}
    </div>
  )
}
