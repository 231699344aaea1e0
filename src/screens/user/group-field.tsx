import { SelectField } from '../../form/select-field.tsx'
import type { FieldBinding } from '../../form/use-form.ts'
import { $users } from '../../state/users.ts'
import { t } from '../../text/language.ts'
import { useStore } from '../../ui/use-store.ts'
import { isFillable } from './management.ts'
import { TEXT } from './text.ts'

/** Selects a user group into which the signed-in user may put users. The value is a group ID as text. */
export function GroupField(binding: FieldBinding<string>) {
  const groups = useStore($users).value?.groups?.filter(isFillable) ?? []
  return (
    <SelectField
      {...binding}
      label={t(TEXT.group)}
      options={groups.map(({ id, name }) => ({ value: String(id), label: name }))}
    />
  )
}
