// What the page is about, where that is a name that its place does not know: of a group, of a device. The last of the way here.
import { atom } from 'nanostores'
import { useLayoutEffect } from 'react'

export const $title = atom<string | undefined>(undefined)

/** Names the page as long as it is shown. */
export function useTitle(name: string | undefined): void {
  useLayoutEffect(() => {
    $title.set(name)
    return () => $title.set(undefined)
  }, [name])
}
