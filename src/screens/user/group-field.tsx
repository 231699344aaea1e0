import { SelectField } from '../../form/select-field.tsx'
import type { Bound } from '../../form/use-form.ts'
import { $people } from '../../state/users.ts'
import { t } from '../../text/language.ts'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './text.ts'

/** The choice of a user group, by its id as text. */
export function GroupField(bound: Bound<string>) {
  const groups = useStore($people).value?.groups ?? []
  return (
    <SelectField
      {...bound}
      label={t(TEXT.group)}
      options={groups.map(({ id, name }) => ({ value: String(id), label: name }))}
    />
  )
}
