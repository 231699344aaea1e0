import type { ComponentType } from 'react'
import { $language } from '../text/language.ts'
import { DialogHost } from '../ui/dialog/dialog-host.tsx'
import { useStore } from '../ui/use-store.ts'
import { ToastHost } from './toast-host.tsx'

/**
 * The page with its dialogs and messages.
 * @param guard the component that chooses the page of the current route and session
 */
export function Root({ guard: Guard }: { guard: ComponentType }) {
  // A change of language renders the whole tree from here, so that no other component has to subscribe to it. Input and
  // focus are kept.
  useStore($language)
  return (
    <>
      <Guard />
      <DialogHost />
      <ToastHost />
    </>
  )
}
