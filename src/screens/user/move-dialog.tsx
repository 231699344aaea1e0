import { GROUP_VIEWER } from '../../../contract/permissions.ts'
import type { User } from '../../../contract/user.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { useForm } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { GroupField } from './group-field.tsx'
import { idsOf, move } from './store.ts'
import { TEXT } from './text.ts'

/** Moves one or more users to a group. */
export function MoveDialog({ users, onClose }: { users: readonly User[]; onClose: () => void }) {
  const [first] = users
  const form = useForm(
    {},
    { group: String(first?.['group-id'] ?? GROUP_VIEWER) },
    ({ group }) => move(idsOf(users), Number(group)),
    { fields: { 'group-id': 'group' }, done: onClose }
  )
  const these = users.length > 1 ? t(TEXT.these, users.length) : (first?.name ?? '')
  return (
    <FormDialog form={form} title={t(TEXT.moveTitle, these)} verb={t(TEXT.move)} onClose={onClose}>
      <GroupField {...form.field('group')} />
    </FormDialog>
  )
}
