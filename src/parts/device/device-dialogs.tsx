// Small dialogs for devices and device groups: edit a name, select a group.
import { useState } from 'react'
import type { Envelope } from '../../../contract/call.ts'
import { catalogName } from '../../../contract/catalog.ts'
import { NAME_EXISTS, SUCCESS } from '../../../contract/codes.ts'
import type { Device } from '../../../contract/device/device.ts'
import type { Rule } from '../../../contract/rules/rules.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { $catalogTree, createCatalog, flattenTree } from '../../state/catalogs.ts'
import type { FailureOptions } from '../../state/mutations.ts'
import { type Translation, t } from '../../text/language.ts'
import { nameList } from '../../text/outcomes.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { useStore } from '../../ui/use-store.ts'

const TEXT = {
  name: ['Name', '名称'],
  move: ['Move to group', '移动到组'],
  group: ['Group', '分组'],
  noGroup: ['No group', '未分组'],
  newGroup: ['New group', '新建分组'],
  newName: ['Name of the new group', '新分组名称']
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

interface MoveDialogProps extends Omit<DeviceDialogProps, 'devices'> {
  /** Devices, or hubs in the cloud. */
  devices: readonly Pick<Device, 'name' | 'catalog-id'>[]
  /** Moves the devices to the group with this id; 0 = out of their group. */
  move: (catalog: number) => Promise<boolean>
}

/** Value of the option for a group that does not exist yet. */
const NEW_GROUP = 'new'

export function MoveDialog({ devices, move, onClose }: MoveDialogProps) {
  const tree = useStore($catalogTree)
  const [isNew, setNew] = useState(false)
  const form = useForm<{ group: string; name: string }>(
    isNew ? { name: catalogName } : {},
    { group: String(devices[0]?.['catalog-id'] ?? 0), name: '' },
    async ({ group, name }, options) => {
      const added = isNew ? await createCatalog(0, name, options) : undefined
      if (added && added.result !== SUCCESS) return added
      // The bulk action shows the result of each device.
      onClose(await move(added?.id ?? Number(group)))
      return undefined
    },
    { fieldOfCode: { [NAME_EXISTS]: 'name' } }
  )
  const group = form.field('group')
  const groups = flattenTree(tree).map(({ catalog: { id, name }, level }) => ({
    value: String(id),
    label: '\u2003'.repeat(level - 1) + name
  }))
  return (
    <FormDialog
      form={form}
      title={`${t(TEXT.move)}: ${nameList(devices.map(({ name }) => name))}`}
      submitLabel={t(TEXT.move)}
      onClose={onClose}
    >
      <SelectField
        {...group}
        onValueChange={(value) => {
          setNew(value === NEW_GROUP)
          group.onValueChange(value)
        }}
        label={t(TEXT.group)}
        options={[{ value: '0', label: t(TEXT.noGroup) }, ...groups, { value: NEW_GROUP, label: t(TEXT.newGroup) }]}
      />
      {isNew && <TextField {...form.field('name')} label={t(TEXT.newName)} />}
    </FormDialog>
  )
}
