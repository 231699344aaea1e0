// The search in the header: Enter leads to what is found, and there to the first of it.
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { link, type Place, placeOf } from '../paths.ts'
import { openFirst } from '../screens/search/search.tsx'
import { setQuery, useQuery } from '../state/location.ts'
import { t } from '../text/language.ts'
import { SearchBox } from '../ui/search-box.tsx'
import { TEXT } from './text.ts'

const ID = 'search'

/** The slash leads here from wherever nothing is typed. */
function hear(event: KeyboardEvent): void {
  const { key, target, ctrlKey, metaKey, altKey } = event
  const typed = (target as Element).closest('input:not([type=checkbox]), textarea, select, dialog, [role=menu]')
  if (key !== '/' || ctrlKey || metaKey || altKey || typed) return
  event.preventDefault()
  document.querySelector<HTMLInputElement>(`#${ID} input`)?.focus()
}

/** @param current the menu entry that is highlighted, and stays so while one searches */
export function HeaderSearch({ current }: { current: Place | undefined }) {
  const [path] = useLocation()
  const here = placeOf(path).place === 'search'
  const key = useQuery().get('key') ?? ''
  useEffect(() => {
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  }, [])
  return (
    <search id={ID}>
      <SearchBox
        label={t(TEXT.search)}
        value={here ? key : ''}
        onSearch={(text) => {
          if (here) setQuery({ key: text })
        }}
        onEnter={(text) => {
          if (here && text === key) openFirst(current)
          // As a link: a page with something unsaved is asked.
          else if (!here && text) location.hash = link('search', { key: text, 'search-navigation': current })
        }}
      />
    </search>
  )
}
