// Small dialogs for devices and device groups: edit a name, select a group.
import type { Envelope } from '../../../contract/call.ts'
import { NAME_EXISTS } from '../../../contract/codes.ts'
import type { Device } from '../../../contract/device/device.ts'
import type { Rule } from '../../../contract/rules/rules.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { $catalogTree, flattenTree } from '../../state/catalogs.ts'
import type { FailureOptions } from '../../state/mutations.ts'
import { type Translation, t } from '../../text/language.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { useStore } from '../../ui/use-store.ts'

const TEXT = {
  name: ['Name', '名称'],
  move: ['Move to group', '移动到组'],
  group: ['Group', '分组'],
  noGroup: ['No group', '未分组']
} as const satisfies Record<string, Translation>

export interface DeviceDialogProps {
  devices: readonly Device[]
  /** @param well it was done */
  onClose: (succeeded?: boolean) => void
}

interface NameDialogProps {
  title: string
  /** The current name. */
  name?: string
  rule: Rule
  save: (name: string, options: FailureOptions) => Promise<Envelope>
}

/** Opens the dialog. @returns whether the name was saved */
export const openNameDialog = (props: NameDialogProps) => openDialog(NameDialog, props)

function NameDialog({
  title,
  name = '',
  rule,
  save,
  onClose
}: NameDialogProps & { onClose: (succeeded?: boolean) => void }) {
  const form = useForm({ name: rule }, { name }, (values, options) => save(values.name, options), {
    fieldOfCode: { [NAME_EXISTS]: 'name' },
    onSuccess: () => onClose(true)
  })
  return (
    <FormDialog form={form} title={title} onClose={onClose}>
      <TextField {...form.field('name')} label={t(TEXT.name)} autoFocus />
    </FormDialog>
  )
}

interface MoveDialogProps extends DeviceDialogProps {
  /** Moves the devices to the group with this id; 0 = out of their group. */
  move: (catalog: number) => Promise<boolean>
}

export function MoveDialog({ devices, move, onClose }: MoveDialogProps) {
  const tree = useStore($catalogTree)
  const form = useForm({}, { group: String(devices[0]?.['catalog-id'] ?? 0) }, async ({ group }) => {
    // The bulk action shows the result of each device.
    onClose(await move(Number(group)))
    return undefined
  })
  const groups = flattenTree(tree).map(({ catalog: { id, name }, level }) => ({
    value: String(id),
    label: '\u2003'.repeat(level - 1) + name
  }))
  return (
    <FormDialog form={form} submitLabel={t(TEXT.move)} onClose={onClose}>
      <SelectField
        {...form.field('group')}
        label={t(TEXT.group)}
        options={[{ value: '0', label: t(TEXT.noGroup) }, ...groups]}
      />
    </FormDialog>
  )
}
