import type { ReactNode } from 'react'
import { listCatalogs } from '../../../contract/catalog.ts'
import { FAMILY_NAMES } from '../../../contract/products.ts'
import { $branches, inOrder } from '../../state/catalogs.ts'
import { setQuery } from '../../state/location.ts'
import { $may } from '../../state/session.ts'
import { type Pair, t } from '../../text/language.ts'
import { SearchBox } from '../../ui/search-box.tsx'
import { useStore } from '../../ui/use-store.ts'
import type { FilterName } from './filter.ts'
import { TEXT } from './text.ts'

interface FiltersProps {
  query: URLSearchParams
  /** What the list itself has settled is no choice. */
  settled: readonly FilterName[]
}

/** What narrows a list of devices. Each change is a change of the address. */
export function Filters({ query, settled }: FiltersProps) {
  const may = useStore($may)
  const choice = (name: FilterName, label: Pair, every: Pair, options: readonly (readonly [string, string])[]) =>
    !settled.includes(name) && (
      <select
        aria-label={t(label)}
        value={query.get(name) ?? ''}
        onChange={(event) => setQuery({ [name]: event.currentTarget.value })}
      >
        <option value="">{t(every)}</option>
        {options.map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </select>
    )
  const families = Object.entries(FAMILY_NAMES).sort(([a], [b]) => Number(a) - Number(b))
  return (
    <>
      <SearchBox label={t(TEXT.search)} value={query.get('key') ?? ''} onSearch={(key) => setQuery({ key })} />
      {choice('family', TEXT.family, TEXT.everyFamily, families)}
      {choice('state', TEXT.state, TEXT.everyState, [
        ['online', t(TEXT.online)],
        ['offline', t(TEXT.offline)],
        ['warning', t(TEXT.warning)]
      ])}
      {choice('dir', TEXT.direction, TEXT.everyDirection, [
        ['input', t(TEXT.dirInput)],
        ['output', t(TEXT.dirOutput)],
        ['none', t(TEXT.dirNone)]
      ])}
      {may(listCatalogs) && <Groups draw={(options) => choice('group', TEXT.group, TEXT.everyGroup, options)} />}
    </>
  )
}

/** Listens to the groups, which only who may see them may ask for. */
function Groups({ draw }: { draw: (options: readonly (readonly [string, string])[]) => ReactNode }) {
  const branches = inOrder(useStore($branches))
  const options = branches.map(
    ({ catalog: { id, name }, level }) => [String(id), '\u2003'.repeat(level - 1) + name] as const
  )
  return <>{draw([['0', t(TEXT.noGroup)], ...options])}</>
}
