// A form for one part of the settings: a card with its fields, which a user without the permission can only read.
import { type ReactNode, useRef } from 'react'
import type { Access } from '../../../contract/call.ts'
import type { Form, SubmitEvent } from '../../form/use-form.ts'
import { $isAllowed } from '../../state/session.ts'
import { type Translation, t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import * as UI from '../../ui/text.ts'
import { useStore } from '../../ui/use-store.ts'
import { useUnsaved } from '../save-bar.tsx'
import { useSaveTogether } from './save-together.tsx'

interface SettingsFormProps<Values extends object> {
  title: string
  form: Form<Values>
  /** The values that the hub has stored, without those that are not settings. */
  saved: Partial<Values>
  /** The permission to save. */
  access: Access
  children: ReactNode
}

export function SettingsForm<Values extends object>(props: SettingsFormProps<Values>) {
  const { title, form, saved, access, children } = props
  const isEditable = useStore($isAllowed)({ access })
  const isChanged = useUnsaved(form, saved).length > 0
  const stored = useRef(saved)
  stored.current = saved
  const element = useRef<HTMLFormElement>(null)
  const values = useRef(form.values)
  values.current = form.values
  const discard = () => form.setValues(stored.current)

  async function save(event: SubmitEvent = { preventDefault() {}, currentTarget: element.current }): Promise<boolean> {
    const sent = form.values
    const isDone = await form.submit(event)
    // What the hub has stored, which may be written differently. Fields that were changed meanwhile keep their changes.
    const unchanged = Object.entries(stored.current).filter(
      ([field]) => values.current[field as keyof Values] === sent[field as keyof Values]
    )
    if (isDone) form.setValues(Object.fromEntries(unchanged) as Partial<Values>)
    return isDone
  }

  const hasBar = useSaveTogether({ title, save: () => save(), discard }, isEditable && isChanged)
  return (
    <form noValidate ref={element} onSubmit={(event) => void save(event)}>
      <Card title={title}>
        {isEditable ? (
          <>
            {children}
            {/* Enter in a field needs a submit button, also where the bar has the visible one. */}
            {hasBar ? (
              <button type="submit" hidden />
            ) : (
              <Button submit kind="main" label={t(UI.save)} busy={form.busy} />
            )}
          </>
        ) : (
          <ReadOnlyFields>{children}</ReadOnlyFields>
        )}
      </Card>
    </form>
  )
}

/** Fields that the user may not change. */
function ReadOnlyFields({ children }: { children: ReactNode }) {
  return (
    <>
      <p className="muted">{t(READ_ONLY)}</p>
      <fieldset className="field" disabled>
        {children}
      </fieldset>
    </>
  )
}

/** Fields of a larger form that need another permission than the others. */
export function RestrictedFields({ access, children }: Pick<SettingsFormProps<object>, 'access' | 'children'>) {
  return useStore($isAllowed)({ access }) ? children : <ReadOnlyFields>{children}</ReadOnlyFields>
}

export const READ_ONLY: Translation = [
  'You can view these settings. To change them, ask an administrator.',
  '您可以查看这些设置。如需更改，请联系管理员。'
]
