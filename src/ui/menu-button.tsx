import { useLayoutEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'
import { positionPopup } from './popup-position.ts'

export interface MenuItem {
  label: string
  icon?: IconName
  danger?: boolean
  disabled?: boolean
  /** The reason why the item is disabled. */
  tooltip?: string
  /** Makes it a radio item, or with `multiSelect` a checkbox item; whether it is selected. */
  checked?: boolean
  /** Several items can be checked: the menu stays open after a click. */
  multiSelect?: boolean
  onSelect: () => void
}

interface MenuButtonProps {
  label: string
  icon?: IconName
  /** Shows the icon without the label. */
  iconOnly?: boolean
  /** The Tab key skips the button, because another key opens the menu. */
  outOfTabOrder?: boolean
  items: readonly MenuItem[]
}

const startsWith = ({ textContent }: HTMLElement, letter: string) =>
  textContent.trim().toLowerCase().startsWith(letter.toLowerCase())

/** Moves the focus between the items of a menu. @returns whether the key did that */
function moveFocus(key: string, menu: Element): boolean {
  const items = [...menu.children] as HTMLElement[]
  const current = items.indexOf(document.activeElement as HTMLElement)
  const fromNext = [...items.slice(current + 1), ...items.slice(0, current + 1)]
  /** The next item that begins with the typed character. */
  const byLetter = key.length === 1 && key.trim() && fromNext.find((item) => startsWith(item, key))
  const targets: Record<string, HTMLElement | undefined> = {
    ArrowDown: items[current + 1] ?? items[0],
    ArrowUp: items.at(current - 1),
    Home: items[0],
    End: items.at(-1)
  }
  const target = targets[key] ?? byLetter
  if (target) target.focus()
  return Boolean(target)
}

interface MenuKeyEvent {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  currentTarget: Element
  preventDefault(): void
}

/** A button that opens a menu of actions. */
export function MenuButton({ label, icon = 'more', iconOnly, outOfTabOrder, items }: MenuButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const getOpener = () => list.current?.previousElementSibling as HTMLElement

  useLayoutEffect(() => {
    const menu = list.current
    if (!menu) return
    menu.showPopover?.()
    positionPopup(getOpener(), menu)
    menu.querySelector<HTMLElement>('[aria-checked=true], button:not([aria-checked])')?.focus()
  }, [isOpen])

  const close = () => {
    getOpener().focus()
    setOpen(false)
  }
  const handleKeyDown = (event: MenuKeyEvent) => {
    if (event.key === 'Tab') close()
    if (!event.ctrlKey && !event.metaKey && !event.altKey && moveFocus(event.key, event.currentTarget))
      event.preventDefault()
  }

  return (
    <>
      <Button
        opensMenu
        icon={icon}
        iconOnly={iconOnly}
        outOfTabOrder={outOfTabOrder}
        label={label}
        expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <div
          ref={list}
          className="menu-list"
          role="menu"
          aria-label={label}
          popover="auto"
          tabIndex={-1}
          onKeyDown={handleKeyDown}
          // The browser closes the popover on Escape and on a click outside.
          onToggle={(event) => setOpen(event.newState === 'open')}
        >
          {items.map((item) => (
            <MenuItemButton key={item.label} {...item} onClose={close} />
          ))}
        </div>
      )}
    </>
  )
}

interface MenuItemButtonProps extends MenuItem {
  onClose: () => void
}

function MenuItemButton(props: MenuItemButtonProps) {
  const { label, icon, danger, disabled, tooltip, checked, multiSelect, onSelect, onClose } = props
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: aria-checked is set only with the roles that support it
    <button
      type="button"
      role={checked === undefined ? 'menuitem' : multiSelect ? 'menuitemcheckbox' : 'menuitemradio'}
      aria-checked={checked}
      aria-disabled={disabled || undefined}
      data-tip={tooltip}
      className={danger ? 'danger' : undefined}
      tabIndex={-1}
      onClick={() => {
        if (disabled) return
        if (!multiSelect) onClose()
        onSelect()
      }}
    >
      {icon && <Icon name={icon} />}
      <span>{label}</span>
      {checked && <Icon name="check" />}
    </button>
  )
}
