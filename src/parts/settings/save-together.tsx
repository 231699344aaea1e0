// One bar for all forms of a page: it names the forms with changes, and saves them one after the other.
import { atom } from 'nanostores'
import { createContext, type ReactNode, useContext, useLayoutEffect, useRef, useState } from 'react'
import { useStore } from '../../ui/use-store.ts'
import { SaveBar } from '../save-bar.tsx'

export interface ChangedForm {
  title: string
  /** @returns whether the hub has stored the values */
  save: () => Promise<boolean>
  discard: () => void
}

/** The forms of the page with changes, the one that was changed first at the front. */
const $changed = atom<readonly { current: ChangedForm }[]>([])

const IsTogether = createContext(false)

/**
 * Adds a form to the bar of the page while it has changes.
 * @returns whether the page has such a bar; otherwise the form needs its own button
 */
export function useSaveTogether(form: ChangedForm, isChanged: boolean): boolean {
  const isTogether = useContext(IsTogether)
  const latest = useRef(form)
  latest.current = form
  useLayoutEffect(() => {
    if (!isTogether || !isChanged) return undefined
    $changed.set([...$changed.get(), latest])
    return () => $changed.set($changed.get().filter((each) => each !== latest))
  }, [isTogether, isChanged])
  return isTogether
}

/** A page whose forms share one bar. */
export function SaveTogether({ children }: { children: ReactNode }) {
  const changed = useStore($changed)
  const [busy, setBusy] = useState(false)

  /** Stops at the first form that the hub does not store: the user then corrects it. */
  async function save(): Promise<void> {
    setBusy(true)
    try {
      for (const form of changed) if (!(await form.current.save())) return
    } finally {
      setBusy(false)
    }
  }

  return (
    <IsTogether.Provider value={true}>
      {children}
      <SaveBar
        busy={busy}
        unsaved={changed.map(({ current }) => current.title)}
        onSave={() => void save()}
        onDiscard={() => {
          for (const form of changed) form.current.discard()
        }}
      />
    </IsTogether.Provider>
  )
}
