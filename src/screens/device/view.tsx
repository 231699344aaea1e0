// Whether devices are shown as a list or as pictures: in the address, else as it was chosen the last time in this list.
import { CACHE_PREFIX } from '../../../contract/limits.ts'
import { setQuery } from '../../state/location.ts'
import { t } from '../../text/language.ts'
import { Segments } from '../../ui/choice.tsx'
import { TEXT } from './text.ts'

type View = 'list' | 'view'

const kept = (list: string) => `${CACHE_PREFIX}view-${list}`

export function useView(list: string, query: URLSearchParams): View {
  return (query.get('view') ?? localStorage.getItem(kept(list))) === 'view' ? 'view' : 'list'
}

export function ViewSwitch({ name, view }: { name: string; view: View }) {
  return (
    <Segments
      bare
      label={t(TEXT.view)}
      value={view}
      options={[
        { value: 'list', label: t(TEXT.list), icon: 'list' },
        { value: 'view', label: t(TEXT.pictures), icon: 'grid' }
      ]}
      onChange={(chosen) => {
        localStorage.setItem(kept(name), chosen)
        setQuery({ view: chosen === 'list' ? '' : chosen })
      }}
    />
  )
}
