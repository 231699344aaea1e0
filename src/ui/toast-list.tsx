import { useLayoutEffect, useRef } from 'react'
import { t } from '../text/language.ts'
import { Button } from './button.tsx'
import { $openDialogs } from './dialog/dialog.tsx'
import { Icon } from './icon.tsx'
import * as TEXT from './text.ts'
import { useStore } from './use-store.ts'

export interface ToastItem {
  id: number
  /** The first line is the event, further lines are details. */
  lines: readonly string[]
  /** Failures are announced to screen readers at once. How long a toast is shown is up to the owner of the list. */
  isFailure: boolean
  /** The link to the object of the message. */
  href?: string
  /** Undoes the action. The owner of the list binds Ctrl-Z to it as well. */
  onUndo?: () => void
}

interface ToastListProps {
  items: readonly ToastItem[]
  onDismiss: (id: number) => void
  /** Called with true while the list is hovered or has the focus, because the user is reading it. */
  onReadingChange: (isReading: boolean) => void
}

/**
 * Messages on top of the page, or on top of the topmost dialog. A failure interrupts a screen reader. A success is
 * announced politely, in a live region that exists before the message. Escape dismisses the toast that has the focus.
 */
export function ToastList({ items, onDismiss, onReadingChange }: ToastListProps) {
  const home = useRef<HTMLDivElement>(null)
  const section = useRef<HTMLElement>(null)
  /** The element that had the focus before the toasts. */
  const previousFocus = useRef<HTMLElement>(null)
  const dialog = useStore($openDialogs).at(-1)

  useLayoutEffect(() => {
    const element = section.current as HTMLElement
    const parent = dialog ?? (home.current as HTMLElement)
    parent.append(element)
    // A popover must be shown again after it was moved. It then also covers popups that were opened earlier.
    element.showPopover?.()
    return () => {
      onReadingChange(false)
      element.remove()
    }
  }, [dialog])

  const stopReading = () => onReadingChange(false)
  const dismiss = (id: number) => {
    if (section.current?.contains(document.activeElement)) previousFocus.current?.focus()
    onDismiss(id)
    stopReading()
  }
  const renderToast = (item: ToastItem) => <Toast key={item.id} {...item} onDismiss={() => dismiss(item.id)} />

  return (
    <div ref={home}>
      <section
        ref={section}
        popover="manual"
        className="toasts"
        aria-label={t(TEXT.notifications)}
        onPointerEnter={() => onReadingChange(true)}
        onPointerLeave={stopReading}
        onFocusCapture={({ relatedTarget }) => {
          if (!section.current?.contains(relatedTarget)) previousFocus.current = relatedTarget as HTMLElement | null
          onReadingChange(true)
        }}
        onBlurCapture={stopReading}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          // Keeps the surrounding dialog open.
          event.preventDefault()
          ;(event.target as Element).closest('.toast')?.querySelector<HTMLElement>('button:last-of-type')?.click()
        }}
      >
        <div role="status">{items.filter(({ isFailure }) => !isFailure).map(renderToast)}</div>
        {items.filter(({ isFailure }) => isFailure).map(renderToast)}
      </section>
    </div>
  )
}

function Toast({
  lines: [summary, ...details],
  isFailure,
  href,
  onUndo,
  onDismiss
}: ToastItem & { onDismiss: () => void }) {
  return (
    <div className="toast" data-tone={isFailure ? 'bad' : 'good'} role={isFailure ? 'alert' : undefined}>
      <Icon name={isFailure ? 'warning' : 'check'} />
      <div>
        <p>
          {summary}
          {href && (
            <>
              {' '}
              <a href={href} onClick={onDismiss}>
                {t(TEXT.open)}
              </a>
            </>
          )}
        </p>
        {details.map((line) => (
          <p key={line} className="muted">
            {line}
          </p>
        ))}
      </div>
      {onUndo && (
        <Button
          label={t(TEXT.undo)}
          tooltip="Ctrl+Z"
          onClick={() => {
            onDismiss()
            onUndo()
          }}
        />
      )}
      <Button iconOnly icon="close" label={t(TEXT.dismiss)} onClick={onDismiss} />
    </div>
  )
}
