// Toggle between the table view and the tile view of a list.
import type { ReactNode } from 'react'
import { CACHE_PREFIX } from '../../contract/limits.ts'
import { setQuery, useQuery } from '../state/location.ts'
import { type Translation, t } from '../text/language.ts'
import { Button } from '../ui/button.tsx'

const TILES_LABEL: Translation = ['Pictures', '画面']

/**
 * Whether a list is shown as tiles: the URL decides, otherwise the last choice, which is kept in `localStorage`.
 * @param list name of the list in `localStorage`
 * @param isTileDefault whether tiles are shown before the user has chosen a view
 * @returns whether tiles are shown, and the button that toggles the view
 */
export function useTileView(list: string, isTileDefault = false): [isTileView: boolean, toggle: ReactNode] {
  const storageKey = `${CACHE_PREFIX}view-${list}`
  const view = useQuery().get('view') ?? localStorage.getItem(storageKey) ?? (isTileDefault ? 'view' : 'list')
  const isTileView = view === 'view'
  const toggle = () => {
    const next = isTileView ? 'list' : 'view'
    localStorage.setItem(storageKey, next)
    setQuery({ view: next })
  }
  return [isTileView, <Button iconOnly icon="grid" label={t(TILES_LABEL)} pressed={isTileView} onClick={toggle} />]
}
