// Whether devices are shown as a list or as pictures: in the address, else as it was chosen the last time in this list.
import { useState } from 'react'
import { CACHE_PREFIX } from '../../../contract/limits.ts'
import { setQuery } from '../../state/location.ts'
import { t } from '../../text/language.ts'
import { Segments } from '../../ui/choice.tsx'
import { TEXT } from './text.ts'

type View = 'list' | 'view'

const kept = (list: string) => `${CACHE_PREFIX}view-${list}`

/** @returns the view, and how to choose another */
export function useView(list: string, query: URLSearchParams): [View, (view: View) => void] {
  const [own, setOwn] = useState(() => localStorage.getItem(kept(list)))
  const choose = (view: View) => {
    localStorage.setItem(kept(list), view)
    setOwn(view)
    setQuery({ view: view === 'list' ? '' : view })
  }
  return [(query.get('view') ?? own) === 'view' ? 'view' : 'list', choose]
}

export function ViewSwitch({ view, onChoose }: { view: View; onChoose: (view: View) => void }) {
  return (
    <Segments
      bare
      label={t(TEXT.view)}
      value={view}
      options={[
        { value: 'list', label: t(TEXT.list), icon: 'list' },
        { value: 'view', label: t(TEXT.pictures), icon: 'grid' }
      ]}
      onChange={onChoose}
    />
  )
}
