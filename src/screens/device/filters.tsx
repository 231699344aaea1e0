import type { ReactNode } from 'react'
import { listCatalogs } from '../../../contract/catalog.ts'
import type { DeviceListRequest } from '../../../contract/device/device.ts'
import { listFamilies } from '../../../contract/device/products.ts'
import { $catalogTree, flattenTree } from '../../state/catalogs.ts'
import { $isAllowed } from '../../state/session.ts'
import { type Translation, t } from '../../text/language.ts'
import { PhoneFold } from '../../ui/phone-fold.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { useStore } from '../../ui/use-store.ts'
import { isFiltered, type SelectName, setFilters } from './filter.ts'
import { TEXT } from './text.ts'

interface FiltersProps {
  query: URLSearchParams
  /** The request without the user's filters. A value in it has no filter. */
  list: DeviceListRequest
  /** Further controls. */
  children?: ReactNode
}

type SelectOptions = readonly (readonly [value: string, text: string])[]

/**
 * Search box and filters of a device list. Their values are kept in the URL. On a phone, a button shows the selects and
 * the children.
 */
export function Filters({ query, list, children }: FiltersProps) {
  const isAllowed = useStore($isAllowed)
  const isAccepted = !list['reg-state']
  const select = (name: SelectName, label: Translation, options: SelectOptions) => (
    <select
      aria-label={t(label)}
      value={query.get(name) ?? ''}
      onChange={(event) => setFilters({ [name]: event.currentTarget.value })}
    >
      <option value="">{t(TEXT.every, t(label))}</option>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  )
  return (
    <>
      <SearchBox label={t(TEXT.search)} value={query.get('key') ?? ''} onSearch={(key) => setFilters({ key })} />
      <PhoneFold isOpen={isFiltered(query)}>
        {select(
          'family',
          TEXT.family,
          listFamilies().map(({ id, name }) => [String(id), name] as const)
        )}
        {isAccepted &&
          !list.status &&
          select('state', TEXT.state, [
            ['online', t(TEXT.online)],
            ['offline', t(TEXT.offline)],
            ['warning', t(TEXT.warning)]
          ])}
        {isAccepted &&
          select('dir', TEXT.direction, [
            ['input', t(TEXT.dirInput)],
            ['output', t(TEXT.dirOutput)],
            ['none', t(TEXT.dirNone)]
          ])}
        {isAccepted && list.catalog === undefined && isAllowed(listCatalogs) && (
          <GroupSelect renderSelect={(options) => select('group', TEXT.group, options)} />
        )}
        {children}
      </PhoneFold>
    </>
  )
}

/**
 * Subscribes to the groups: a separate component, because the hub refuses the groups to users without the permission.
 */
function GroupSelect({ renderSelect }: { renderSelect: (options: SelectOptions) => ReactNode }) {
  const groups = flattenTree(useStore($catalogTree))
  const options = groups.map(
    ({ catalog: { id, name }, level }) => [String(id), '\u2003'.repeat(level - 1) + name] as const
  )
  return <>{renderSelect([['0', t(TEXT.noGroup)], ...options])}</>
}
