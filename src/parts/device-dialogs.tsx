// What devices are asked about before something is done to them: a new name, a group.
import type { Device } from '../../contract/device.ts'
import { renameDevice } from '../../contract/device-action.ts'
import { nameRule } from '../../contract/families.ts'
import { FormDialog } from '../form/form-dialog.tsx'
import { SelectField } from '../form/select-field.tsx'
import { TextField } from '../form/text-field.tsx'
import { type Form, useForm } from '../form/use-form.ts'
import { send } from '../link/send.ts'
import { $branches, inOrder } from '../state/catalogs.ts'
import { refreshLive } from '../state/live.ts'
import { act } from '../state/toasts.ts'
import { deviceResultText } from '../text/device-results.ts'
import { type Pair, t } from '../text/language.ts'
import { useStore } from '../ui/use-store.ts'

const TEXT = {
  rename: ['Rename {0}', '重命名{0}'],
  name: ['Name', '名称'],
  save: ['Save', '保存'],
  move: ['Move to group', '移动到分组'],
  group: ['Group', '分组'],
  noGroup: ['No group', '未分组']
} as const satisfies Record<string, Pair>

export interface DeviceDialogProps {
  devices: readonly Device[]
  /** @param well it was done */
  onClose: (well?: boolean) => void
}

export function RenameDialog({ device, onClose }: { device: Device; onClose: (well?: boolean) => void }) {
  const form: Form<{ name: string }> = useForm(
    { name: nameRule(device) },
    { name: device.name },
    async ({ name }) => {
      const rename = async (force: object) => {
        const { details: [detail] = [], ...answer } = await send(renameDevice, { sn: device.sn, name, ...force })
        return { ...detail, ...answer }
      }
      const answer = await act(rename, { say: deviceResultText, quiet: form.takes })
      refreshLive()
      return answer
    },
    { done: () => onClose(true) }
  )
  return (
    <FormDialog form={form} title={t(TEXT.rename, device.name)} verb={t(TEXT.save)} onClose={() => onClose()}>
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
    <FormDialog form={form} title={t(TEXT.move)} verb={t(TEXT.move)} onClose={() => onClose()}>
      <SelectField
        {...form.field('group')}
        label={t(TEXT.group)}
        options={[{ value: '0', label: t(TEXT.noGroup) }, ...groups]}
      />
    </FormDialog>
  )
}
