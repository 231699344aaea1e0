import { Icon, type IconName } from './icon.tsx'

export interface ButtonProps {
  /** What it does, as a verb. The tooltip and name of a button that shows its icon only. */
  label: string
  icon?: IconName
  /** Shows the icon only. */
  bare?: boolean
  /**
   * - `main`: the one thing to do here
   * - `danger`: what cannot be undone
   * - otherwise a quiet button
   */
  kind?: 'main' | 'danger'
  /** Under way: shown, and not to be pressed again. */
  busy?: boolean
  disabled?: boolean
  /** Why it is disabled, or what else there is to say. */
  tip?: string
  /** Submits the form it is in. */
  submit?: boolean
  pressed?: boolean
  /** What it opens is open. */
  expanded?: boolean
  /** What it opens is a menu. */
  menu?: boolean
  /** Out of the way of the tab key. */
  aside?: boolean
  onClick?: () => void
}

/** A button. Its name is its label, with or without words shown. */
export function Button({
  label,
  icon,
  bare,
  kind,
  busy,
  disabled,
  tip,
  submit,
  pressed,
  expanded,
  menu,
  aside,
  onClick
}: ButtonProps) {
  return (
    <button
      type={submit ? 'submit' : 'button'}
      className={`button ${kind ?? ''} ${bare ? 'bare' : ''}`}
      aria-label={bare ? label : undefined}
      aria-busy={busy || undefined}
      aria-disabled={busy || disabled || undefined}
      aria-pressed={pressed}
      aria-expanded={expanded}
      aria-haspopup={menu && 'menu'}
      tabIndex={aside ? -1 : undefined}
      data-tip={tip ?? (bare ? label : undefined)}
      // Not `disabled`: the tooltip says why, and focus stays where it was.
      onClick={(event) => (busy || disabled ? event.preventDefault() : onClick?.())}
    >
      {icon && <Icon name={icon} />}
      {!bare && <span>{label}</span>}
    </button>
  )
}
