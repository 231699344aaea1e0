// The title of pages whose name is not fixed by their route, for instance that of a device. Shown as the last part of
// the breadcrumb.
import { atom } from 'nanostores'
import { useLayoutEffect } from 'react'

export const $pageTitle = atom<string | undefined>(undefined)

/** Sets the page title while the component is mounted. */
export function usePageTitle(name: string | undefined): void {
  useLayoutEffect(() => {
    $pageTitle.set(name)
    return () => $pageTitle.set(undefined)
  }, [name])
}
