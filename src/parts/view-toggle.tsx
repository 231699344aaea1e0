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
 * @returns whether tiles are shown, and the button that toggles the view
 */
export function useTileView(list: string): [isTileView: boolean, toggle: ReactNode] {
  const storageKey = `${CACHE_PREFIX}view-${list}`
  const isTileView = (useQuery().get('view') ?? localStorage.getItem(storageKey)) === 'view'
  const toggle = () => {
    const view = isTileView ? 'list' : 'view'
    localStorage.setItem(storageKey, view)
    setQuery({ view })
  }
  return [isTileView, <Button iconOnly icon="grid" label={t(TILES_LABEL)} pressed={isTileView} onClick={toggle} />]
}
