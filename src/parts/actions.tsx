// What can be done to rows of a list, to one or to many: an action is data. Who may not do it sees why; what cannot be undone asks first.
import { useState } from 'react'
import type { Who } from '../../contract/call.ts'
import { $may } from '../state/session.ts'
import { type Pair, t } from '../text/language.ts'
import { Button, type ButtonProps } from '../ui/button.tsx'
import { confirm } from '../ui/confirm.tsx'
import type { IconName } from '../ui/icon.tsx'
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
  rows: readonly Row[]
  nameOf: (row: Row) => string
  /** How several rows are called: 'these 3 devices'. With it the buttons are worded; else they are the small ones of a row. */
  these?: Pair
  /** It went well. */
  onDone?: () => void
}

/** The actions of one row at its end, or of the chosen rows in their bar. */
export function Actions<Row>({ actions, rows, nameOf, these, onDone }: ActionsProps<Row>) {
  const [first] = rows
  if (!first) return null
  return (
    <span className="row-actions">
      {actions
        .filter(({ fits }) => these || !fits || fits(first))
        .map(({ call, icon, one, many, kind, ask, asks, barred, run }) => {
          const verb = rows.length > 1 ? t(many, rows.length) : t(one)
          const what = these && rows.length > 1 ? t(these, rows.length) : nameOf(first)
          const act = async () => {
            const question = ask && (!asks || asks(rows))
            const danger = kind === 'danger'
            if (question) {
              const text = typeof ask.text === 'function' ? ask.text(rows) : t(ask.text)
              if (!(await confirm({ title: t(ask.title, what), text, verb, danger }))) return
            }
            if (await run(rows)) onDone?.()
          }
          const worded = these !== undefined || kind === 'main'
          return (
            <ActButton
              key={icon}
              call={call}
              barred={barred?.(rows)}
              icon={icon}
              label={worded ? verb : `${verb}: ${what}`}
              bare={!worded}
              kind={worded ? kind : undefined}
              onAct={act}
            />
          )
        })}
    </span>
  )
}
