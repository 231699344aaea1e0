// Actions on the rows of a list, declared as data. An action that the user may not run is not shown; one that is not
// possible now is disabled with the reason as its tooltip; an action that cannot be undone asks for confirmation.
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { Access } from '../../contract/call.ts'
import { $freshness } from '../state/freshness.ts'
import { $isAllowed } from '../state/session.ts'
import { type Translation, t } from '../text/language.ts'
import { Button, type ButtonProps } from '../ui/button.tsx'
import { confirm } from '../ui/dialog/confirm.tsx'
import type { IconName } from '../ui/icon.tsx'
import { MenuButton } from '../ui/menu-button.tsx'
import { isAtMost, useScreenSize } from '../ui/screen-size.ts'
import type { RemoteSelection } from '../ui/table/selection.ts'
import * as UI from '../ui/text.ts'
import { useStore } from '../ui/use-store.ts'
import { $limitReasons } from './license-limits.ts'

export interface Action<Row> {
  /** The call that the action sends: decides which users may run it. */
  call: { access: Access }
  icon: IconName
  /** Label. `{0}` stands for the name of the row or the number of rows. */
  verb: Translation
  kind?: 'main' | 'danger'
  /** Text of the confirmation dialog. Without a text, the action runs without confirmation. */
  confirmText?: (rows: readonly Row[]) => string | undefined
  isApplicable?: (row: Row) => boolean
  /** The action takes one row only. */
  single?: boolean
  /** Why the action is disabled for these rows, as a sentence. */
  disabledReason?: (rows: readonly Row[]) => string | undefined
  /** @returns whether the action succeeded */
  run: (rows: readonly Row[]) => Promise<boolean>
}

/** Label of an action, with the name of its object if one is given. */
export const verbText = (verb: Translation, objectName = ''): string => t(verb, objectName).trim()

/** Why no call can be made now: the hub does not respond. Undefined if it does. */
const useHubFailure = () => (useStore($freshness).stale ? t(UI.unreachable) : undefined)

interface CallButtonProps extends Omit<ButtonProps, 'busy' | 'disabled' | 'tooltip' | 'once' | 'onClick'> {
  call: { access: Access }
  /** Why the button is disabled, as a sentence. */
  disabledReason?: string
  onClick: () => unknown
}

/**
 * A button for a call: not shown without the permission, disabled without the hub, and busy until `onClick` resolves.
 * A double click makes one call.
 */
export function CallButton({ call, disabledReason, onClick, ...button }: CallButtonProps) {
  const isAllowed = useStore($isAllowed)(call)
  const reason = useHubFailure() ?? disabledReason
  const [busy, setBusy] = useState(false)
  const handleClick = async () => {
    setBusy(true)
    await onClick()
    setBusy(false)
  }
  if (!isAllowed) return null
  return (
    <Button
      {...button}
      once
      busy={busy}
      disabled={Boolean(reason)}
      tooltip={reason}
      onClick={() => void handleClick()}
    />
  )
}

interface ActionsProps<Row> {
  actions: readonly Action<Row>[]
  /** Further actions, shown in a menu after the buttons. */
  menuActions?: readonly Action<Row>[]
  rows: readonly Row[]
  /** Set if more rows are selected than are loaded. The hub is asked for them when an action runs. */
  remoteSelection?: RemoteSelection<Row>
  nameOf: (row: Row) => string
  /**
   * Text for several rows, such as '{0} devices'. With it the buttons show their labels; without it they are the icon
   * buttons of a row.
   */
  countText?: Translation
  /** Whether more than two actions are in the menu on a phone, as in the row of a table. */
  folds?: boolean
  /** Called when an action has succeeded. */
  onDone?: () => void
}

/** If the row disappears while one of its buttons has the focus, moves the focus to the list. */
function useFocusFallback(): RefObject<HTMLElement | null> {
  const buttons = useRef<HTMLElement>(null)
  useLayoutEffect(
    () => () => {
      const { current } = buttons
      if (current?.contains(document.activeElement))
        current.closest('.list')?.querySelector<HTMLElement>('.scroll')?.focus()
    },
    []
  )
  return buttons
}

/** The actions of one row at its end, or of the selected rows in the toolbar. */
export function Actions<Row>({
  actions,
  menuActions,
  rows,
  remoteSelection,
  nameOf,
  countText,
  folds,
  onDone
}: ActionsProps<Row>) {
  const isAllowed = useStore($isAllowed)
  // Actions are disabled at a limit of the licence.
  useStore($limitReasons)
  const isPhone = isAtMost('xxs', useScreenSize())
  const hubFailure = useHubFailure()
  const buttons = useFocusFallback()
  const [first] = rows
  const count = remoteSelection?.count ?? rows.length
  const name = first ? nameOf(first) : ''
  const countLabel = (rowCount: number) => (countText && rowCount > 1 ? t(countText, rowCount) : '')
  const reasonFor = ({ disabledReason }: Action<Row>) => (remoteSelection ? undefined : disabledReason?.(rows))

  async function runAction(action: Action<Row>): Promise<void> {
    const targets = remoteSelection ? await remoteSelection.fetchRows() : rows
    if (!targets?.length) return
    const text = action.confirmText?.(targets)
    const verb = verbText(action.verb, countLabel(targets.length) || name)
    if (text && !(await confirm({ text, confirmLabel: verb, danger: action.kind === 'danger' }))) return
    if (await action.run(targets)) onDone?.()
  }

  if (!first && !remoteSelection) return null
  const applicable = actions.filter(({ isApplicable }) => countText || !isApplicable || (first && isApplicable(first)))
  // On a phone, several buttons would leave no room for the name of the row.
  const isFolded = folds && isPhone && applicable.length + (menuActions?.length ?? 0) > 2
  const shown = isFolded ? applicable.filter(({ kind }) => kind === 'main') : applicable
  const menuEntries = [
    ...(isFolded ? applicable.filter(({ kind }) => kind !== 'main') : []),
    ...(menuActions ?? [])
  ].filter(
    ({ call, isApplicable, single }) =>
      isAllowed(call) &&
      !(single && count > 1) &&
      (!isApplicable || remoteSelection !== undefined || rows.some(isApplicable))
  )
  const renderButton = (action: Action<Row>) => {
    const { call, icon, kind } = action
    const verb = verbText(action.verb, countLabel(count))
    const hasText = countText !== undefined || kind === 'main'
    return (
      <CallButton
        key={verb}
        call={call}
        disabledReason={reasonFor(action)}
        icon={icon}
        label={hasText ? verb : `${verb}: ${name}`}
        iconOnly={!hasText}
        // In a bar, an action that cannot be undone must not stand out over the others. Its dialog is the warning.
        kind={hasText && kind !== 'danger' ? kind : undefined}
        onClick={() => runAction(action)}
      />
    )
  }
  /** In a bar, actions that cannot be undone are last and apart. */
  const isApart = ({ call, kind }: Action<Row>) => countText !== undefined && kind === 'danger' && isAllowed(call)
  const apart = shown.filter(isApart)
  return (
    <span className="row" ref={buttons}>
      {shown.filter((action) => !isApart(action)).map(renderButton)}
      {menuEntries.length > 0 && (
        <MenuButton
          iconOnly={!countText}
          label={countText ? t(UI.more) : t(UI.actionsOf, name)}
          items={menuEntries.map((action) => {
            const { icon, kind, verb } = action
            const tooltip = hubFailure ?? reasonFor(action)
            return {
              label: verbText(verb),
              icon,
              danger: kind === 'danger',
              disabled: Boolean(tooltip),
              tooltip,
              onSelect: () => void runAction(action)
            }
          })}
        />
      )}
      {apart.length > 0 && <span className="row apart">{apart.map(renderButton)}</span>}
    </span>
  )
}
