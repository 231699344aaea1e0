// How a list is shown: as a table, as a table with low rows, or as tiles.
import type { ReactNode } from 'react'
import { useRememberedChoice } from '../state/remembered-choice.ts'
import { type Translation, t } from '../text/language.ts'
import { Button } from '../ui/button.tsx'

const COMPACT: Translation = ['Compact rows', '紧凑行']
const TILES: Translation = ['Pictures', '画面']

/** `view`: as tiles. */
const VIEWS = ['list', 'compact', 'view'] as const
type View = (typeof VIEWS)[number]

/**
 * The view of a list: the URL decides, otherwise the last choice in this browser.
 * @param list name of the list in `localStorage`
 * @param initial applies before the user has chosen
 * @returns the view, and the buttons that change it
 */
export function useListView(list: string, initial: View = 'list'): [view: View, buttons: ReactNode] {
  const [view, choose] = useRememberedChoice('view', VIEWS, initial, list)
  const toggle = (value: View) => ({ pressed: view === value, onClick: () => choose(view === value ? 'list' : value) })
  return [
    view,
    <span key="view" className="row">
      <Button iconOnly icon="list" label={t(COMPACT)} {...toggle('compact')} />
      <Button iconOnly icon="grid" label={t(TILES)} {...toggle('view')} />
    </span>
  ]
}
