import { useLayoutEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'
import { placeBy } from './popup-position.ts'

export interface MenuItem {
  label: string
  icon?: IconName
  danger?: boolean
  disabled?: boolean
  /** Why it is disabled. */
  tip?: string
  /** It stands: the one of several, or one of those that do. */
  chosen?: boolean
  /** Several can stand: the menu stays open. */
  several?: boolean
  onSelect: () => void
}

export interface MenuButtonProps {
  label: string
  icon?: IconName
  /** Shows the icon only. */
  bare?: boolean
  /** Out of the way of the tab key, where another key opens it. */
  aside?: boolean
  items: readonly MenuItem[]
}

/** A button that opens a list of what can be done. */
export function MenuButton({ label, icon = 'more', bare, aside, items }: MenuButtonProps) {
  const [open, setOpen] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const opener = () => list.current?.previousElementSibling as HTMLElement

  useLayoutEffect(() => {
    const menu = list.current
    if (!menu) return
    menu.showPopover?.()
    placeBy(opener(), menu)
    menu.querySelector<HTMLElement>('[aria-checked=true], button:not([aria-checked])')?.focus()
  }, [open])

  const close = () => {
    opener().focus()
    setOpen(false)
  }
  const move = (event: { key: string; preventDefault(): void; currentTarget: Element }) => {
    const all = [...event.currentTarget.children] as HTMLElement[]
    const at = all.indexOf(document.activeElement as HTMLElement)
    const steps: Record<string, HTMLElement | undefined> = {
      ArrowDown: all[at + 1] ?? all[0],
      ArrowUp: all.at(at - 1),
      Home: all[0],
      End: all.at(-1)
    }
    const to = steps[event.key]
    if (event.key === 'Tab') close()
    if (!to) return
    event.preventDefault()
    to.focus()
  }

  return (
    <>
      <Button menu icon={icon} bare={bare} aside={aside} label={label} expanded={open} onClick={() => setOpen(!open)} />
      {open && (
        <div
          ref={list}
          className="menu-list"
          role="menu"
          aria-label={label}
          popover="auto"
          tabIndex={-1}
          onKeyDown={move}
          // The platform closes it on Escape and on a click elsewhere.
          onToggle={(event) => setOpen(event.newState === 'open')}
        >
          {items.map(({ label: name, icon: sign, danger, disabled, tip, chosen, several, onSelect }) => (
            // biome-ignore lint/a11y/useAriaPropsSupportedByRole: one role of the two has it, and only with that one it is set
            <button
              key={name}
              type="button"
              role={chosen === undefined ? 'menuitem' : several ? 'menuitemcheckbox' : 'menuitemradio'}
              aria-checked={chosen}
              aria-disabled={disabled || undefined}
              data-tip={tip}
              className={danger ? 'danger' : undefined}
              tabIndex={-1}
              onClick={() => {
                if (disabled) return
                if (!several) close()
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
