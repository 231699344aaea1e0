import type { ReactNode } from 'react'
import { listCatalogs } from '../../../contract/catalog.ts'
import type { DeviceListRequest } from '../../../contract/device/device.ts'
import { FAMILY_NAMES } from '../../../contract/device/products.ts'
import { $branches, inOrder } from '../../state/catalogs.ts'
import { setQuery } from '../../state/location.ts'
import { $may } from '../../state/session.ts'
import { type Pair, t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { useStore } from '../../ui/use-store.ts'
import { type FilterName, removeFilter } from './filter.ts'
import { TEXT } from './text.ts'

interface FiltersProps {
  query: URLSearchParams
  /** What makes the list: that is no choice. */
  list: DeviceListRequest
}

type Options = readonly (readonly [value: string, word: string])[]

/** What narrows a list of devices. Each change is a change of the address. */
export function Filters({ query, list }: FiltersProps) {
  const may = useStore($may)
  const accepted = !list['reg-state']
  const choice = (name: FilterName, label: Pair, options: Options) => (
    <select
      aria-label={t(label)}
      value={query.get(name) ?? ''}
      onChange={(event) => setQuery({ [name]: event.currentTarget.value })}
    >
      <option value="">{t(TEXT.every, t(label))}</option>
      {options.map(([value, word]) => (
        <option key={value} value={value}>
          {word}
        </option>
      ))}
    </select>
  )
  return (
    <>
      <SearchBox label={t(TEXT.search)} value={query.get('key') ?? ''} onSearch={(key) => setQuery({ key })} />
      {choice('family', TEXT.family, Object.entries(FAMILY_NAMES))}
      {accepted &&
        !list.status &&
        choice('state', TEXT.state, [
          ['online', t(TEXT.online)],
          ['offline', t(TEXT.offline)],
          ['warning', t(TEXT.warning)]
        ])}
      {accepted &&
        choice('dir', TEXT.direction, [
          ['input', t(TEXT.dirInput)],
          ['output', t(TEXT.dirOutput)],
          ['none', t(TEXT.dirNone)]
        ])}
      {accepted && list.catalog === undefined && may(listCatalogs) && (
        <Groups draw={(options) => choice('group', TEXT.group, options)} />
      )}
      {query.has('firmware') && <Button icon="close" label={t(TEXT.clearSearch)} onClick={removeFilter} />}
    </>
  )
}

/** Listens to the groups, which only who may see them may ask for. */
function Groups({ draw }: { draw: (options: Options) => ReactNode }) {
  const branches = inOrder(useStore($branches))
  const options = branches.map(
    ({ catalog: { id, name }, level }) => [String(id), '\u2003'.repeat(level - 1) + name] as const
  )
  return <>{draw([['0', t(TEXT.noGroup)], ...options])}</>
}
