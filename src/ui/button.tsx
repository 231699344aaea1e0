import { Icon, type IconName } from './icon.tsx'

export interface ButtonProps {
  /** A verb. With `iconOnly` it is the tooltip and the accessible name. */
  label: string
  icon?: IconName
  /** Shows the icon without the label. */
  iconOnly?: boolean
  /**
   * - `main`: the primary action of the page or dialog
   * - `danger`: an action that cannot be undone
   * - default: a secondary button
   */
  kind?: 'main' | 'danger'
  /** The action is running: the button stays visible and ignores clicks. */
  busy?: boolean
  disabled?: boolean
  /** The reason why the button is disabled, or further information. */
  tooltip?: string
  /** Submits the surrounding form. */
  submit?: boolean
  pressed?: boolean
  /** The element that the button opens is open. */
  expanded?: boolean
  /** The button opens a menu. */
  opensMenu?: boolean
  /**
   * Ignores the second click of a double click. After the first, the button may have taken the place of another one,
   * such as that of the row above.
   */
  once?: boolean
  /** The Tab key skips the button. */
  outOfTabOrder?: boolean
  /**
   * Called when a pointer begins and ends to hold the button, also outside of it. `onClick` then runs only for a click
   * without a pointer: of a key or a screen reader.
   */
  onHold?: (isHeld: boolean) => void
  onClick?: () => void
}

export function Button({
  label,
  icon,
  iconOnly,
  kind,
  busy,
  disabled,
  tooltip,
  submit,
  pressed,
  expanded,
  opensMenu,
  once,
  outOfTabOrder,
  onHold,
  onClick
}: ButtonProps) {
  return (
    <button
      type={submit ? 'submit' : 'button'}
      className={`button ${kind ?? ''} ${iconOnly ? 'bare' : ''}`}
      aria-label={iconOnly ? label : undefined}
      aria-busy={busy || undefined}
      aria-disabled={busy || disabled || undefined}
      aria-pressed={pressed}
      aria-expanded={expanded}
      aria-haspopup={opensMenu && 'menu'}
      tabIndex={outOfTabOrder ? -1 : undefined}
      data-tip={tooltip ?? (iconOnly ? label : undefined)}
      // Not the `disabled` attribute, because a disabled button has no tooltip and loses the focus.
      onClick={(event) =>
        busy || disabled || event.detail > (onHold ? 0 : once ? 1 : event.detail) ? event.preventDefault() : onClick?.()
      }
      onPointerDown={
        onHold &&
        (({ currentTarget, pointerId }) => {
          if (disabled) return
          currentTarget.setPointerCapture(pointerId)
          onHold(true)
        })
      }
      onLostPointerCapture={onHold && (() => onHold(false))}
    >
      {icon && <Icon name={icon} />}
      {!iconOnly && <span>{label}</span>}
    </button>
  )
}
