import { atom } from 'nanostores'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { t } from '../../text/language.ts'
import { Button } from '../button.tsx'
import * as TEXT from '../text.ts'

interface DialogProps {
  title: string
  children?: ReactNode
  /** Buttons besides 'Cancel'. The primary one comes last. */
  footer?: ReactNode
  /** When set, the content is wrapped in a form. */
  onSubmit?: (event: { preventDefault(): void; currentTarget: EventTarget | null }) => void
  /** Called on Escape, the close button and 'Cancel'. The component that mounted the dialog unmounts it. */
  onClose: () => void
  /** Replaces the label 'Cancel'. */
  cancelLabel?: string
}

/**
 * The open dialogs, the topmost last. Everything outside the topmost dialog is inert and hidden from screen readers.
 */
export const $openDialogs = atom<readonly HTMLElement[]>([])

/**
 * Opens a dialog element while its component is mounted. The browser keeps the focus inside. The focus goes to
 * `[data-autofocus]`, else to the first field, and returns to the previous element when the dialog closes.
 * @returns properties of the element
 */
export function useModal(onClose: () => void) {
  const ref = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = ref.current as HTMLDialogElement
    const previousFocus = document.activeElement as HTMLElement | null
    element.showModal()
    const field =
      element.querySelector<HTMLElement>('[data-autofocus]') ??
      element.querySelector<HTMLElement>('.body :is(input, select)')
    field?.focus()
    $openDialogs.set([...$openDialogs.get(), element])
    return () => {
      $openDialogs.set($openDialogs.get().filter((other) => other !== element))
      element.close()
      previousFocus?.focus()
    }
  }, [])
  // The browser must not close the dialog by itself: `onClose` decides.
  const onCancel = (event: { preventDefault(): void }) => {
    event.preventDefault()
    onClose()
  }
  return { ref, onCancel }
}

/** A modal dialog, open while it is mounted. */
export function Dialog({ title, children, footer, onSubmit, onClose, cancelLabel }: DialogProps) {
  const modal = useModal(onClose)
  const id = useId()
  const content = (
    <>
      <header>
        <h2 id={id}>{title}</h2>
        <Button iconOnly icon="close" label={t(TEXT.close)} onClick={onClose} />
      </header>
      <div className="body">{children}</div>
      <footer>
        <Button label={cancelLabel ?? t(TEXT.cancel)} onClick={onClose} />
        {footer}
      </footer>
    </>
  )
  return (
    <dialog {...modal} aria-labelledby={id}>
      {onSubmit ? (
        <form noValidate onSubmit={onSubmit}>
          {content}
        </form>
      ) : (
        content
      )}
    </dialog>
  )
}
