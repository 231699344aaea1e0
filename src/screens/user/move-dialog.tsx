import { GROUP_VIEWER } from '../../../contract/access/permissions.ts'
import type { User } from '../../../contract/access/user.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { useForm } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { GroupField } from './group-field.tsx'
import { moveUsersTo } from './store.ts'
import { TEXT } from './text.ts'

interface MoveDialogProps {
  users: readonly User[]
  onClose: (succeeded?: boolean) => void
}

/** Moves one or more users to a group. */
export function MoveDialog({ users, onClose }: MoveDialogProps) {
  const form = useForm({}, { group: String(users[0]?.['group-id'] ?? GROUP_VIEWER) }, async ({ group }) => {
    if (await moveUsersTo(users, Number(group))) onClose(true)
    return undefined
  })
  return (
    <FormDialog form={form} submitLabel={t(TEXT.move)} onClose={onClose}>
      <GroupField {...form.field('group')} />
    </FormDialog>
  )
}
