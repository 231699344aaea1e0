// A form for one part of the settings: a card with its fields, which a user without the permission can only read.
import type { ReactNode } from 'react'
import { settingAccess } from '../../../contract/settings.ts'
import type { Form } from '../../form/use-form.ts'
import { $isAllowed } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './text.ts'

interface SettingsFormProps {
  title: string
  form: Pick<Form<never>, 'submit' | 'busy'>
  children: ReactNode
}

export function SettingsForm({ title, form, children }: SettingsFormProps) {
  const mayEdit = useStore($isAllowed)({ access: settingAccess('ndi-discovery').edit })
  return (
    <form noValidate onSubmit={form.submit}>
      <Card title={title}>
        {mayEdit ? (
          <>
            {children}
            <Button submit kind="main" label={t(TEXT.save)} busy={form.busy} />
          </>
        ) : (
          <>
            <p className="muted">{t(TEXT.readOnly)}</p>
            <fieldset className="field" disabled>
              {children}
            </fieldset>
          </>
        )}
      </Card>
    </form>
  )
}
