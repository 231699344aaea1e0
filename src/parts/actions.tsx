// What can be done to rows of a list, to one or to many: an action is data. Who may not do it sees why; what cannot be undone asks first.
import { useLayoutEffect, useRef, useState } from 'react'
import type { Who } from '../../contract/call.ts'
import { $may } from '../state/session.ts'
import { type Pair, t } from '../text/language.ts'
import { Button, type ButtonProps } from '../ui/button.tsx'
import { confirm } from '../ui/confirm.tsx'
import type { IconName } from '../ui/icon.tsx'
import { MenuButton } from '../ui/menu-button.tsx'
import type { Whole } from '../ui/selection.ts'
import * as UI from '../ui/text.ts'
import { useStore } from '../ui/use-store.ts'

export interface Action<Row> {
  /** The call it makes, for who may. */
  call: { who: Who }
  icon: IconName
  one: Pair
  /** With the number of rows. */
  many: Pair
  kind?: 'main' | 'danger'
  /** The question before it, with the row's name or the number of rows in its title. */
  ask?: { title: Pair; text: Pair | ((rows: readonly Row[]) => string) }
  /** Whether there is anything to ask, or to do at all, with these rows. */
  asks?: (rows: readonly Row[]) => boolean
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
  const verbOf = ({ one, many }: Action<Row>, of: number) => (of > 1 ? t(many, of) : t(one))
  const whatOf = (some: readonly Row[]) =>
    these && some.length > 1 ? t(these, some.length) : some[0] ? nameOf(some[0]) : ''
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
    const { kind, ask, asks, run } = action
    const some = whole ? await whole.take() : rows
    if (!some?.length) return
    if (ask && (!asks || asks(some))) {
      const text = typeof ask.text === 'function' ? ask.text(some) : t(ask.text)
      const verb = verbOf(action, some.length)
      const danger = kind === 'danger'
      if (!(await confirm({ title: t(ask.title, whatOf(some)), text, verb, danger }))) return
    }
    if (await run(some)) onDone?.()
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
          const verb = verbOf(action, count)
          const worded = these !== undefined || kind === 'main'
          return (
            <ActButton
              key={verb}
              call={call}
              barred={why(action)}
              icon={icon}
              label={worded ? verb : `${verb}: ${whatOf(rows)}`}
              bare={!worded}
              kind={worded ? kind : undefined}
              onAct={() => perform(action)}
            />
          )
        })}
      {offered && offered.length > 0 && (
        <MenuButton
          bare={!these}
          label={these ? t(UI.more) : t(UI.actionsOf, whatOf(rows))}
          items={offered.map((action) => {
            const tip = may(action.call) ? why(action) : t(TEXT.denied)
            const { icon, kind, one } = action
            const item = { icon, danger: kind === 'danger', disabled: Boolean(tip), tip }
            return { ...item, label: t(one), onSelect: () => void perform(action) }
          })}
        />
      )}
    </span>
  )
}
