// Lists that can be shown as pictures too.
import type { ReactNode } from 'react'
import { CACHE_PREFIX } from '../../contract/limits.ts'
import { setQuery, useQuery } from '../state/location.ts'
import { type Pair, t } from '../text/language.ts'
import { Button } from '../ui/button.tsx'

const PICTURES: Pair = ['Pictures', '画面']

/**
 * Whether a list is shown as pictures: as the address says, else as it was chosen the last time.
 * @param list under which that is kept
 * @returns that, and the button that turns it
 */
export function usePictures(list: string): [pictures: boolean, turn: ReactNode] {
  const kept = `${CACHE_PREFIX}view-${list}`
  const pictures = (useQuery().get('view') ?? localStorage.getItem(kept)) === 'view'
  const turn = () => {
    const view = pictures ? 'list' : 'view'
    localStorage.setItem(kept, view)
    setQuery({ view })
  }
  return [pictures, <Button bare icon="grid" label={t(PICTURES)} pressed={pictures} onClick={turn} />]
}
