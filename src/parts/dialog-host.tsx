// Dialogs that may be opened from anywhere: from a row, a tile, the menu. The frame mounts `DialogHost` once.
import { atom } from 'nanostores'
import type { ComponentType, ReactNode } from 'react'
import { onClear } from '../state/session.ts'
import { useStore } from '../ui/use-store.ts'

interface Opened {
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

interface Closing {
  /** @param well it did what it is for */
  onClose: (well?: boolean) => void
}

type Without<Props> = Omit<Props, 'onClose'>

/**
 * Opens a dialog.
 * @param props what it takes besides `onClose`
 * @returns whether it did what it is for
 */
export function openDialog<Props extends Closing>(
  Drawn: ComponentType<Props>,
  ...[props]: object extends Without<Props> ? [props?: Without<Props>] : [props: Without<Props>]
): Promise<boolean> {
  return new Promise((resolve) => {
    const onClose = (well = false) => {
      $opened.set($opened.get().filter((other) => other !== opened))
      resolve(well)
    }
    const all = { ...props, onClose, key: ++last } as unknown as Props
    const opened = { draw: () => <Drawn {...all} />, close: onClose }
    $opened.set([...$opened.get(), opened])
  })
}

export function DialogHost() {
  return <>{useStore($opened).map(({ draw }) => draw())}</>
}
