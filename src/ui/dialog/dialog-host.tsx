// Dialogs that may be opened from anywhere: from a row, a tile, the menu. The frame mounts `DialogHost` once.

import { atom } from 'nanostores'
import type { ComponentType } from 'react'
import { useStore } from '../use-store.ts'

interface Opened {
  Drawn: ComponentType<object>
  all: { key: number; onClose: () => void }
}

const $opened = atom<readonly Opened[]>([])
let last = 0

/** Closes all of them. */
export function closeDialogs(): void {
  for (const { all } of $opened.get()) all.onClose()
}

interface Closing {
  /** @param well it did what it is for */
  onClose: (well?: boolean) => void
}

type Without<Props> = Omit<Props, 'onClose'>

/**
 * Opens a dialog. One of its kind that is open, which is then not done, makes way for it.
 * @param props what it takes besides `onClose`
 * @returns whether it did what it is for
 */
export function openDialog<Props extends Closing>(
  Drawn: ComponentType<Props>,
  ...[props]: object extends Without<Props> ? [props?: Without<Props>] : [props: Without<Props>]
): Promise<boolean> {
  for (const { Drawn: other, all } of $opened.get()) if (other === Drawn) all.onClose()
  return new Promise((resolve) => {
    const onClose = (well = false) => {
      $opened.set($opened.get().filter((other) => other !== opened))
      resolve(well)
    }
    const opened = { Drawn: Drawn as ComponentType<object>, all: { ...props, onClose, key: ++last } }
    $opened.set([...$opened.get(), opened])
  })
}

export function DialogHost() {
  return (
    <>
      {useStore($opened).map(({ Drawn, all }) => (
        <Drawn {...all} />
      ))}
    </>
  )
}
