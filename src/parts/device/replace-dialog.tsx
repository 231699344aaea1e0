// Replaces a device in all channels that use it as an input, such as a broken encoder.
import type { Device } from '../../../contract/device/device.ts'
import { required } from '../../../contract/rules/rules.ts'
import { replaceInput } from '../../../contract/stream/channel.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { $inputDevices } from '../../state/channel-devices.ts'
import { $channels } from '../../state/channels.ts'
import { sendMutation } from '../../state/mutations.ts'
import { type Translation, t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { useStore } from '../../ui/use-store.ts'
import { usePlaceholder } from '../load-state.tsx'

const TEXT = {
  title: ['Replace {0}', '更换 {0}'],
  verb: ['Replace', '更换'],
  unused: ['No channel that you see uses this device.', '您可见的频道均未使用此设备。'],
  channels: ['In these channels: {0}', '涉及频道：{0}'],
  other: ['Other device', '替换设备'],
  offline: ['{0} (offline)', '{0}（离线）']
} as const satisfies Record<string, Translation>

export function ReplaceDialog({ device, onClose }: { device: Device; onClose: (succeeded?: boolean) => void }) {
  const users = useStore($channels).items.filter(
    ({ input, config }) => input?.id === device.id || config.backups?.includes(device.id)
  )
  const others = useStore($inputDevices).items.filter(({ id }) => id !== device.id)
  const form = useForm(
    { node: required },
    { node: '' },
    ({ node }, options) =>
      sendMutation(
        replaceInput,
        { from: device.id, input: Number(node) },
        { ...options, success: { text: OUTCOME.saved, names: users.map(({ name }) => name) } }
      ),
    { fieldOfWireName: { input: 'node', from: 'node' }, onSuccess: () => onClose(true) }
  )
  const placeholder = usePlaceholder($channels, users.length === 0, <p>{t(TEXT.unused)}</p>)
  return (
    <FormDialog form={form} title={t(TEXT.title, device.name)} submitLabel={t(TEXT.verb)} onClose={() => onClose()}>
      {placeholder ?? (
        <>
          <p>{t(TEXT.channels, users.map(({ name }) => name).join(', '))}</p>
          <SelectField
            {...form.field('node')}
            label={t(TEXT.other)}
            placeholder=" "
            options={others.map(({ id, name, 'online-date': online }) => ({
              value: String(id),
              label: online > 0 ? name : t(TEXT.offline, name)
            }))}
          />
        </>
      )}
    </FormDialog>
  )
}
