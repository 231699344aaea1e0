// Dialogs that may be opened from anywhere: from a row, a tile, the menu. The frame mounts `DialogHost` once.
import { atom } from 'nanostores'
import { Fragment, type ReactNode } from 'react'
import { onClear } from '../state/session.ts'
import { useStore } from '../ui/use-store.ts'

interface Opened {
  id: number
  draw: () => ReactNode
  close: () => void
}

const $opened = atom<readonly Opened[]>([])
let last = 0

// What one user opened is not for the next.
onClear(() => $opened.set([]))

/** Closes all of them. */
export function closeDialogs(): void {
  for (const { close } of $opened.get()) close()
}

/**
 * Opens a dialog.
 * @param draw draws it; it calls `close` when it is to be closed, with `true` when it did what it is for
 * @returns whether it did
 */
export function openDialog(draw: (close: (well?: boolean) => void) => ReactNode): Promise<boolean> {
  return new Promise((resolve) => {
    const id = ++last
    const close = (well = false) => {
      $opened.set($opened.get().filter((other) => other.id !== id))
      resolve(well)
    }
    $opened.set([...$opened.get(), { id, draw: () => draw(close), close }])
  })
}

export function DialogHost() {
  return (
    <>
      {useStore($opened).map(({ id, draw }) => (
        <Fragment key={id}>{draw()}</Fragment>
      ))}
    </>
  )
}
