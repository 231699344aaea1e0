import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { Icon, type IconName } from './icon.tsx'

export interface MenuItem {
  label: string
  icon?: IconName
  danger?: boolean
  disabled?: boolean
  /** One of several, and this one stands. */
  chosen?: boolean
  onSelect: () => void
}

export interface MenuButtonProps {
  label: string
  icon?: IconName
  /** Shows the icon only. */
  bare?: boolean
  items: readonly MenuItem[]
}

const GAP = 4

/** The item that a key leads to from item `at` of `count`; undefined for other keys. */
export function stepTo(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (at - 1 + count) % count
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  return undefined
}

/** A button that opens a list of what can be done. */
export function MenuButton({ label, icon = 'more', bare, items }: MenuButtonProps) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()

  useLayoutEffect(() => {
    const menu = list.current
    if (!open || !menu || !button.current) return
    menu.showPopover?.()
    const at = button.current.getBoundingClientRect()
    const below = at.bottom + GAP + menu.offsetHeight < innerHeight
    menu.style.top = `${below ? at.bottom + GAP : Math.max(GAP, at.top - GAP - menu.offsetHeight)}px`
    menu.style.left = `${Math.max(GAP, Math.min(at.left, innerWidth - menu.offsetWidth - GAP))}px`
    const wanted = menu.querySelector<HTMLElement>('[aria-checked=true]') ?? menu.querySelector<HTMLElement>('button')
    wanted?.focus()
  }, [open])
  // The platform closes it on Escape and on a click elsewhere.
  useEffect(() => {
    const menu = list.current
    const closed = (event: Event) => setOpen((event as ToggleEvent).newState === 'open')
    menu?.addEventListener('toggle', closed)
    return () => menu?.removeEventListener('toggle', closed)
  }, [open])

  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const move = (event: { key: string; preventDefault(): void }) => {
    const all = [...(list.current?.querySelectorAll<HTMLElement>('button') ?? [])]
    const to = stepTo(event.key, all.indexOf(document.activeElement as HTMLElement), all.length)
    if (event.key === 'Tab') close()
    if (to === undefined) return
    event.preventDefault()
    all[to]?.focus()
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        className={bare ? 'button bare' : 'button'}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={bare ? label : undefined}
        data-tip={bare ? label : undefined}
        onClick={() => setOpen(!open)}
      >
        <Icon name={icon} />
        {!bare && <span>{label}</span>}
      </button>
      {open && (
        <div
          ref={list}
          id={id}
          className="menu-list"
          role="menu"
          aria-label={label}
          popover="auto"
          tabIndex={-1}
          onKeyDown={move}
        >
          {items.map(({ label: name, icon: sign, danger, disabled, chosen, onSelect }) => (
            // biome-ignore lint/a11y/useAriaPropsSupportedByRole: one role of the two has it, and only with that one it is set
            <button
              key={name}
              type="button"
              role={chosen === undefined ? 'menuitem' : 'menuitemradio'}
              aria-checked={chosen}
              aria-disabled={disabled || undefined}
              className={danger ? 'danger' : undefined}
              tabIndex={-1}
              onClick={() => {
                if (disabled) return
                close()
                onSelect()
              }}
            >
              {sign && <Icon name={sign} />}
              <span>{name}</span>
              {chosen && <Icon name="check" />}
            </button>
          ))}
        </div>
      )}
    </>
  )
}
