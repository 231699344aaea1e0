// The bar of a form on a page: names unsaved changes, saves or discards them, and asks before the user leaves the page.
import { useEffect, useLayoutEffect, useRef } from 'react'
import type { Form } from '../form/use-form.ts'
import { navigate, setLeaveGuard } from '../state/location.ts'
import { type Translation, t } from '../text/language.ts'
import { Button } from '../ui/button.tsx'
import { confirm } from '../ui/dialog/confirm.tsx'
import * as UI from '../ui/text.ts'

const TEXT = {
  unsaved: ['Not saved: {0}', '未保存：{0}'],
  discard: ['Discard changes', '放弃更改'],
  leave: ['Leave without saving?', '不保存就离开？']
} as const satisfies Record<string, Translation>

/** The page goes to another address after it has saved: the browser need not ask. */
let isMoving = false

/** Opens an address outside of this page, after the changes were saved. */
export function moveTo(url: string): void {
  isMoving = true
  location.assign(url)
}

const areEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/**
 * The fields whose values differ from those that the hub has stored. A field that the user has not changed follows the
 * hub when another user changes it.
 */
export function useUnsaved<Values extends object>(
  form: Pick<Form<Values>, 'values' | 'setValues'>,
  saved: Partial<Values>
): (keyof Values & string)[] {
  const previous = useRef(saved)
  const fields = Object.keys(saved) as (keyof Values & string)[]
  useLayoutEffect(() => {
    const followed = fields.filter((field) => areEqual(form.values[field], previous.current[field]))
    form.setValues(Object.fromEntries(followed.map((field) => [field, saved[field]])) as Partial<Values>)
    previous.current = saved
  }, [JSON.stringify(saved)])
  return fields.filter((field) => !areEqual(form.values[field], saved[field]))
}

/** The path and the tab of a link. Other values of its query choose what a page shows. */
function pageOf(link: string): string {
  const [path, query] = link.split('?')
  return `${path} ${new URLSearchParams(query).get('tab')}`
}

interface SaveBarProps {
  busy: boolean
  /** Labels of the fields or forms with unsaved changes. The bar is hidden while there are none. */
  unsaved: readonly string[]
  onDiscard: () => void
  /** Saves several forms. Without it, the bar is inside a form, which its button submits. */
  onSave?: () => void
}

export function SaveBar({ busy, unsaved, onDiscard, onSave }: SaveBarProps) {
  const text = t(TEXT.unsaved, unsaved.join(', '))
  useEffect(() => {
    if (unsaved.length === 0) return undefined
    setLeaveGuard((to, from) => {
      if (pageOf(to) === pageOf(from)) return true
      const question = { title: t(TEXT.leave), text, confirmLabel: t(TEXT.discard), danger: true }
      void confirm(question).then((isAgreed) => {
        if (!isAgreed) return
        onDiscard()
        setLeaveGuard()
        navigate(to)
      })
      return false
    })
    const handleUnload = (event: Event) => {
      if (!isMoving) event.preventDefault()
    }
    addEventListener('beforeunload', handleUnload)
    return () => {
      setLeaveGuard()
      removeEventListener('beforeunload', handleUnload)
    }
  }, [text])
  if (unsaved.length === 0) return null
  return (
    <div className="save-bar">
      <span role="status">{text}</span>
      <Button label={t(TEXT.discard)} onClick={onDiscard} />
      <Button submit={!onSave} kind="main" label={t(UI.save)} busy={busy} onClick={onSave} />
    </div>
  )
}
