import { useLayoutEffect, useRef } from 'react'
import { t } from '../text/language.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import * as TEXT from './text.ts'

export interface ToastItem {
  id: number
  text: string
  /** A failure stays longer; how long is the business of who holds the list. */
  failed: boolean
}

/** Messages over the page. Failures interrupt a screen reader, successes wait until it is done. */
export function Toasts({ items, onDismiss }: { items: readonly ToastItem[]; onDismiss: (id: number) => void }) {
  const section = useRef<HTMLElement>(null)
  // Shown anew for each message, so that it comes before a dialog that was opened later.
  useLayoutEffect(() => {
    section.current?.hidePopover?.()
    if (items.length > 0) section.current?.showPopover?.()
  }, [items])
  return (
    <section ref={section} popover="manual" className="toasts" aria-label={t(TEXT.notices)} aria-live="polite">
      {items.map(({ id, text, failed }) => (
        <div key={id} className="toast" data-tone={failed ? 'bad' : 'good'} role={failed ? 'alert' : undefined}>
          <Icon name={failed ? 'warning' : 'check'} />
          <span>{text}</span>
          <Button bare icon="close" label={t(TEXT.dismiss)} onClick={() => onDismiss(id)} />
        </div>
      ))}
    </section>
  )
}
