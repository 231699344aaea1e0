// A form for one part of the settings: a card with its fields, which a user without the permission can only read.
import type { ReactNode } from 'react'
import type { Access } from '../../../contract/call.ts'
import type { Form } from '../../form/use-form.ts'
import { $isAllowed } from '../../state/session.ts'
import { type Translation, t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import * as UI from '../../ui/text.ts'
import { useStore } from '../../ui/use-store.ts'

interface SettingsFormProps {
  title: string
  form: Pick<Form<never>, 'submit' | 'busy'>
  /** The permission to save. */
  access: Access
  /** Why nobody can save now, such as a service that is missing on the machine. */
  obstacle?: ReactNode
  children: ReactNode
}

export function SettingsForm({ title, form, access, obstacle, children }: SettingsFormProps) {
  const mayEdit = useStore($isAllowed)({ access })
  const isEditable = mayEdit && !obstacle
  return (
    <form noValidate onSubmit={form.submit}>
      <Card title={title}>
        {isEditable ? (
          <>
            {children}
            <Button submit kind="main" label={t(UI.save)} busy={form.busy} />
          </>
        ) : (
          <ReadOnlyFields reason={obstacle}>{children}</ReadOnlyFields>
        )}
      </Card>
    </form>
  )
}

/** Fields that the user may not change, with the reason above them. */
function ReadOnlyFields({ reason, children }: { reason?: ReactNode; children: ReactNode }) {
  return (
    <>
      {reason || <p className="muted">{t(READ_ONLY)}</p>}
      <fieldset className="field" disabled>
        {children}
      </fieldset>
    </>
  )
}

/** Fields of a larger form that need another permission than the others. */
export function RestrictedFields({ access, children }: Pick<SettingsFormProps, 'access' | 'children'>) {
  return useStore($isAllowed)({ access }) ? children : <ReadOnlyFields>{children}</ReadOnlyFields>
}

export const READ_ONLY: Translation = [
  'You can view these settings. To change them, ask an administrator.',
  '您可以查看这些设置。如需更改，请联系管理员。'
]
