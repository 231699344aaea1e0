import { atom } from 'nanostores'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { t } from '../../text/language.ts'
import { Button } from '../button.tsx'
import * as TEXT from '../text.ts'

export interface DialogProps {
  title: string
  children?: ReactNode
  /** Buttons besides 'Cancel', the main one last. */
  footer?: ReactNode
  /** With it everything is inside a form. */
  onSubmit?: (event: { preventDefault(): void; currentTarget: EventTarget | null }) => void
  /** Escape, the cross, or 'Cancel'. Whoever mounted the dialog unmounts it. */
  onClose: () => void
  /** 'Cancel' reads otherwise. */
  cancel?: string
}

/** The dialogs that are open, the topmost last. What is outside of that one is inert, and unheard by a screen reader. */
export const $dialogs = atom<readonly HTMLElement[]>([])

/**
 * A dialog, open as long as it is mounted. The platform keeps the focus inside; it goes to `[data-autofocus]`, else to the first
 * field, and comes back to where it was.
 */
export function Dialog({ title, children, footer, onSubmit, onClose, cancel }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const element = dialog.current as HTMLDialogElement
    const before = document.activeElement as HTMLElement | null
    element.showModal()
    const field =
      element.querySelector<HTMLElement>('[data-autofocus]') ??
      element.querySelector<HTMLElement>('.body :is(input, select)')
    field?.focus()
    $dialogs.set([...$dialogs.get(), element])
    return () => {
      $dialogs.set($dialogs.get().filter((other) => other !== element))
      element.close()
      before?.focus()
    }
  }, [])
  // Whoever mounted it decides whether it closes.
  const refuse = (event: { preventDefault(): void }) => {
    event.preventDefault()
    onClose()
  }
  const inside = (
    <>
      <header>
        <h2 id={id}>{title}</h2>
        <Button bare icon="close" label={t(TEXT.close)} onClick={onClose} />
      </header>
      <div className="body">{children}</div>
      <footer>
        <Button label={cancel ?? t(TEXT.cancel)} onClick={onClose} />
        {footer}
      </footer>
    </>
  )
  return (
    <dialog ref={dialog} onCancel={refuse} aria-labelledby={id}>
      {onSubmit ? (
        <form noValidate onSubmit={onSubmit}>
          {inside}
        </form>
      ) : (
        inside
      )}
    </dialog>
  )
}
