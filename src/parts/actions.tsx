// What can be done to rows of a list, to one or to many: an action is data. Who may not do it sees why; what cannot be undone asks first.
import { useLayoutEffect, useRef, useState } from 'react'
import type { Who } from '../../contract/call.ts'
import { $may } from '../state/session.ts'
import { type Pair, t } from '../text/language.ts'
import { Button, type ButtonProps } from '../ui/button.tsx'
import { confirm } from '../ui/dialog/confirm.tsx'
import type { IconName } from '../ui/icon.tsx'
import { MenuButton } from '../ui/menu-button.tsx'
import type { Whole } from '../ui/table/selection.ts'
import * as UI from '../ui/text.ts'
import { useStore } from '../ui/use-store.ts'

export interface Action<Row> {
  /** The call it makes, for who may. */
  call: { who: Who }
  icon: IconName
  /** What it does, with {0} for what it is done to where that is asked before. */
  verb: Pair
  kind?: 'main' | 'danger'
  /** What is said in the question before it; nothing where there is nothing to ask. */
  ask?: (rows: readonly Row[]) => string | undefined
  fits?: (row: Row) => boolean
  /** It is for one row at a time. */
  single?: boolean
  /** Why it cannot be done to these rows, as a sentence. */
  barred?: (rows: readonly Row[]) => string | undefined
  /** @returns whether it went well */
  run: (rows: readonly Row[]) => Promise<boolean>
}

const TEXT = {
  denied: ['You do not have operation permission', '您没有操作权限']
} as const satisfies Record<string, Pair>

/** Makes a question of what an action does. */
export const ASK: Pair = ['{0}?', '{0}？']

/** What an action does: as it is, or with what it is done to. */
export const verbOf = (verb: Pair, what = ''): string => t(verb, what).trim()

interface ActButtonProps extends Omit<ButtonProps, 'busy' | 'disabled' | 'tip' | 'onClick'> {
  call: { who: Who }
  /** Why it cannot be done now, as a sentence. */
  barred?: string
  onAct: () => unknown
}

/** A button for a call: disabled, with the reason, for who may not make it; busy while it is under way. */
export function ActButton({ call, barred, onAct, ...button }: ActButtonProps) {
  const why = useStore($may)(call) ? barred : t(TEXT.denied)
  const [busy, setBusy] = useState(false)
  const act = async () => {
    setBusy(true)
    await onAct()
    setBusy(false)
  }
  return <Button {...button} busy={busy} disabled={Boolean(why)} tip={why} onClick={() => void act()} />
}

interface ActionsProps<Row> {
  actions: readonly Action<Row>[]
  /** What else can be done, in a menu behind them. */
  more?: readonly Action<Row>[]
  rows: readonly Row[]
  /** More rows are chosen than are here. They are asked for when something is to be done to them. */
  whole?: Whole<Row>
  nameOf: (row: Row) => string
  /** How several rows are called: 'these 3 devices'. With it the buttons are worded; else they are the small ones of a row. */
  these?: Pair
  /** It went well. */
  onDone?: () => void
}

/** The actions of one row at its end, or of the chosen rows in their bar. */
export function Actions<Row>({ actions, more, rows, whole, nameOf, these, onDone }: ActionsProps<Row>) {
  const may = useStore($may)
  const buttons = useRef<HTMLElement>(null)
  const [first] = rows
  const count = whole?.count ?? rows.length
  const name = first ? nameOf(first) : ''
  const several = (of: number) => (these && of > 1 ? t(these, of) : '')
  const why = ({ barred }: Action<Row>) => (whole ? undefined : barred?.(rows))

  // With the row that was acted on goes the button that has the focus: it stays in the list, for who has no other place to be.
  useLayoutEffect(
    () => () => {
      const { current } = buttons
      if (current?.contains(document.activeElement))
        current.closest('.list')?.querySelector<HTMLElement>('.scroll')?.focus()
    },
    []
  )

  async function perform(action: Action<Row>): Promise<void> {
    const some = whole ? await whole.take() : rows
    if (!some?.length) return
    const text = action.ask?.(some)
    const verb = verbOf(action.verb, several(some.length) || name)
    if (text && !(await confirm({ title: t(ASK, verb), text, verb, danger: action.kind === 'danger' }))) return
    if (await action.run(some)) onDone?.()
  }

  if (!first && !whole) return null
  const offered = more?.filter(
    ({ fits, single }) => !(single && count > 1) && (!fits || whole !== undefined || rows.some(fits))
  )
  return (
    <span className="row" ref={buttons}>
      {actions
        .filter(({ fits }) => these || !fits || (first && fits(first)))
        .map((action) => {
          const { call, icon, kind } = action
          const verb = verbOf(action.verb, several(count))
          const worded = these !== undefined || kind === 'main'
          return (
            <ActButton
              key={verb}
              call={call}
              barred={why(action)}
              icon={icon}
              label={worded ? verb : `${verb}: ${name}`}
              bare={!worded}
              kind={worded ? kind : undefined}
              onAct={() => perform(action)}
            />
          )
        })}
      {offered && offered.length > 0 && (
        <MenuButton
          bare={!these}
          label={these ? t(UI.more) : t(UI.actionsOf, name)}
          items={offered.map((action) => {
            const tip = may(action.call) ? why(action) : t(TEXT.denied)
            const { icon, kind, verb } = action
            const item = { icon, danger: kind === 'danger', disabled: Boolean(tip), tip }
            return { ...item, label: verbOf(verb), onSelect: () => void perform(action) }
          })}
        />
      )}
    </span>
  )
}
