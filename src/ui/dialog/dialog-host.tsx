// Dialogs that can be opened from anywhere, for instance from a row, a tile or the menu. The frame mounts `DialogHost`
// once.

import { atom } from 'nanostores'
import type { ComponentType } from 'react'
import { useStore } from '../use-store.ts'

interface OpenDialog {
  Component: ComponentType<object>
  props: { key: number; onClose: () => void }
}

const $dialogs = atom<readonly OpenDialog[]>([])
let lastKey = 0

/** Closes all dialogs. */
export function closeDialogs(): void {
  for (const { props } of $dialogs.get()) props.onClose()
}

interface DialogComponentProps {
  /** @param completed whether the dialog did its work */
  onClose: (completed?: boolean) => void
}

type WithoutOnClose<Props> = Omit<Props, 'onClose'>

/**
 * Opens a dialog. A dialog of the same component that is already open is closed as not completed.
 * @param props the component's properties without `onClose`
 * @returns whether the dialog was completed, once it is closed
 */
export function openDialog<Props extends DialogComponentProps>(
  Component: ComponentType<Props>,
  ...[props]: object extends WithoutOnClose<Props> ? [props?: WithoutOnClose<Props>] : [props: WithoutOnClose<Props>]
): Promise<boolean> {
  for (const other of $dialogs.get()) if (other.Component === Component) other.props.onClose()
  return new Promise((resolve) => {
    const onClose = (completed = false) => {
      $dialogs.set($dialogs.get().filter((other) => other !== dialog))
      resolve(completed)
    }
    const dialog = { Component: Component as ComponentType<object>, props: { ...props, onClose, key: ++lastKey } }
    $dialogs.set([...$dialogs.get(), dialog])
  })
}

export function DialogHost() {
  return (
    <>
      {useStore($dialogs).map(({ Component, props }) => (
        <Component {...props} />
      ))}
    </>
  )
}
