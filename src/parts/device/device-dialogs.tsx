// What is asked about devices and their groups before something is done to them: a name, a group.

import type { Envelope } from '../../../contract/call.ts'
import { NAME_EXISTS } from '../../../contract/codes.ts'
import type { Device } from '../../../contract/device/device.ts'
import type { Rule } from '../../../contract/rules/rules.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { type Form, useForm } from '../../form/use-form.ts'
import { $branches, inOrder } from '../../state/catalogs.ts'
import type { ActOptions } from '../../state/toasts.ts'
import { type Pair, t } from '../../text/language.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { useStore } from '../../ui/use-store.ts'

const TEXT = {
  name: ['Name', '名称'],
  move: ['Move to group', '移动到组'],
  group: ['Group', '分组'],
  noGroup: ['No group', '未分组']
} as const satisfies Record<string, Pair>

export interface DeviceDialogProps {
  devices: readonly Device[]
  /** @param well it was done */
  onClose: (well?: boolean) => void
}

interface NameQuestion {
  title: string
  /** The present name, where there is one. */
  name?: string
  rule: Rule
  save: (name: string, options: ActOptions) => Promise<Envelope>
}

/** Asks for a name. @returns whether it was saved */
export const askName = (question: NameQuestion) => openDialog(NameDialog, question)

function NameDialog({ title, name = '', rule, save, onClose }: NameQuestion & { onClose: (well?: boolean) => void }) {
  const form: Form<{ name: string }> = useForm(
    { name: rule },
    { name },
    (values) => save(values.name, { quiet: form.takes }),
    { codes: { [NAME_EXISTS]: 'name' }, done: () => onClose(true) }
  )
  return (
    <FormDialog form={form} title={title} onClose={onClose}>
      <TextField {...form.field('name')} label={t(TEXT.name)} autoFocus />
    </FormDialog>
  )
}

interface MoveDialogProps extends DeviceDialogProps {
  /** Moves them into the group of this id, 0 = out of all groups. */
  move: (catalog: number) => Promise<boolean>
}

export function MoveDialog({ devices, move, onClose }: MoveDialogProps) {
  const branches = useStore($branches)
  const form = useForm({}, { group: String(devices[0]?.['catalog-id'] ?? 0) }, async ({ group }) => {
    // What becomes of each is told in a dialog of its own.
    onClose(await move(Number(group)))
    return undefined
  })
  const groups = inOrder(branches).map(({ catalog: { id, name }, level }) => ({
    value: String(id),
    label: '\u2003'.repeat(level - 1) + name
  }))
  return (
    <FormDialog form={form} verb={t(TEXT.move)} onClose={onClose}>
      <SelectField
        {...form.field('group')}
        label={t(TEXT.group)}
        options={[{ value: '0', label: t(TEXT.noGroup) }, ...groups]}
      />
    </FormDialog>
  )
}
