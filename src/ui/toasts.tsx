import { useLayoutEffect, useRef } from 'react'
import { t } from '../text/language.ts'
import { Button } from './button.tsx'
import { $dialogs } from './dialog/dialog.tsx'
import { Icon } from './icon.tsx'
import * as TEXT from './text.ts'
import { useStore } from './use-store.ts'

export interface ToastItem {
  id: number
  /** What happened, then what else there is to say, each on its line. */
  lines: readonly string[]
  /** A failure stays longer; how long is the business of who holds the list. */
  failed: boolean
}

interface ToastsProps {
  items: readonly ToastItem[]
  onDismiss: (id: number) => void
  /** Somebody reads: they are under the pointer, or have the focus. */
  onHold: (held: boolean) => void
}

/**
 * Messages over the page, or in the dialog that is over it. A failure interrupts a screen reader; a success waits until it is done, in
 * a part of the page that is there before it. Escape dismisses the one that has the focus.
 */
export function Toasts({ items, onDismiss, onHold }: ToastsProps) {
  const home = useRef<HTMLDivElement>(null)
  const section = useRef<HTMLElement>(null)
  /** What had the focus before it came here. */
  const before = useRef<HTMLElement>(null)
  const dialog = useStore($dialogs).at(-1)

  useLayoutEffect(() => {
    const part = section.current as HTMLElement
    const place = dialog ?? (home.current as HTMLElement)
    place.append(part)
    // Shown anew in each place, so that it comes before what was opened earlier.
    part.showPopover?.()
    return () => {
      onHold(false)
      part.remove()
    }
  }, [dialog])

  const release = () => onHold(false)
  const dismiss = (id: number) => {
    if (section.current?.contains(document.activeElement)) before.current?.focus()
    onDismiss(id)
    release()
  }

  const draw = ({ id, lines: [what, ...more], failed }: ToastItem) => (
    <div key={id} className="toast" data-tone={failed ? 'bad' : 'good'} role={failed ? 'alert' : undefined}>
      <Icon name={failed ? 'warning' : 'check'} />
      <div>
        <p>{what}</p>
        {more.map((line) => (
          <p key={line} className="muted">
            {line}
          </p>
        ))}
      </div>
      <Button bare icon="close" label={t(TEXT.dismiss)} onClick={() => dismiss(id)} />
    </div>
  )

  return (
    <div ref={home}>
      <section
        ref={section}
        popover="manual"
        className="toasts"
        aria-label={t(TEXT.notices)}
        onPointerEnter={() => onHold(true)}
        onPointerLeave={release}
        onFocusCapture={({ relatedTarget }) => {
          if (!section.current?.contains(relatedTarget)) before.current = relatedTarget as HTMLElement | null
          onHold(true)
        }}
        onBlurCapture={release}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          // Not the dialog around it.
          event.preventDefault()
          ;(event.target as Element).closest('.toast')?.querySelector('button')?.click()
        }}
      >
        <div role="status">{items.filter(({ failed }) => !failed).map(draw)}</div>
        {items.filter(({ failed }) => failed).map(draw)}
      </section>
    </div>
  )
}
