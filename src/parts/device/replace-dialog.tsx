// Replaces a device, such as a broken encoder: in all channels that use it as an input, or in everything.
import { useState } from 'react'
import type { Envelope } from '../../../contract/call.ts'
import { type Device, queryDevice } from '../../../contract/device/device.ts'
import { swapDevices } from '../../../contract/device/swap.ts'
import { required } from '../../../contract/rules/rules.ts'
import { replaceInput } from '../../../contract/stream/channel.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { type Form, useForm } from '../../form/use-form.ts'
import { send } from '../../link/send.ts'
import { $channels } from '../../state/channels.ts'
import { type FailureOptions, sendMutation, undoIfUnchanged } from '../../state/mutations.ts'
import { $deviceResults, useSearchResults } from '../../state/search-results.ts'
import { type Translation, t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { SearchBox } from '../../ui/search-box.tsx'
import * as UI from '../../ui/text.ts'
import { useStore } from '../../ui/use-store.ts'
import { usePlaceholder } from '../load-state.tsx'

const TEXT = {
  title: ['Replace {0}', '更换 {0}'],
  verb: ['Replace', '更换'],
  unused: ['No channel that you see uses this device.', '您可见的频道均未使用此设备。'],
  channels: ['In these channels: {0}', '涉及频道：{0}'],
  other: ['Other device', '替换设备'],
  offline: ['{0} (offline)', '{0}（离线）'],
  swapTitle: ['Swap {0}', '对调 {0}'],
  swap: ['Swap', '对调'],
  swapText: [
    'The other device gets its name, group, channels, settings, access and tags, and this one those of the other.',
    '另一台设备将获得其名称、分组、频道、设置、权限和标签，本设备则获得对方的。'
  ]
} as const satisfies Record<string, Translation>

interface OtherDeviceFieldProps {
  form: Form<{ other: string }>
  device: Device
  /** The field that identifies the other device in the form. */
  idField: 'id' | 'sn'
  dir?: 'input'
}

/** The choice of another device, with a search. */
function OtherDeviceField({ form, device, idField, dir }: OtherDeviceFieldProps) {
  const [key, setKey] = useState('')
  useSearchResults(key, dir)
  const { items, total } = useStore($deviceResults)
  return (
    <>
      <div className="field">
        <SearchBox
          label={t(UI.search)}
          value={key}
          onSearch={(text) => {
            setKey(text)
            form.setValues({ other: '' })
          }}
        />
      </div>
      <SelectField
        {...form.field('other')}
        label={t(TEXT.other)}
        placeholder=" "
        hint={total > items.length ? t(UI.rowRange, 1, items.length, total) : undefined}
        options={items
          .filter(({ id }) => id !== device.id)
          .map(({ name, 'online-date': online, [idField]: value }) => ({
            value: String(value),
            label: online > 0 ? name : t(TEXT.offline, name)
          }))}
      />
    </>
  )
}

export function ReplaceDialog({ device, onClose }: { device: Device; onClose: (succeeded?: boolean) => void }) {
  const users = useStore($channels).items.filter(
    ({ input, config }) => input?.id === device.id || config.backups?.includes(device.id)
  )
  const form = useForm(
    { other: required },
    { other: '' },
    ({ other }, options) =>
      sendMutation(
        replaceInput,
        { from: device.id, input: Number(other) },
        { ...options, success: { text: OUTCOME.saved, names: users.map(({ name }) => name) } }
      ),
    { fieldOfWireName: { input: 'other', from: 'other' }, onSuccess: () => onClose(true) }
  )
  const placeholder = usePlaceholder($channels, users.length === 0, <p>{t(TEXT.unused)}</p>)
  return (
    <FormDialog form={form} title={t(TEXT.title, device.name)} submitLabel={t(TEXT.verb)} onClose={() => onClose()}>
      {placeholder ?? (
        <>
          <p>{t(TEXT.channels, users.map(({ name }) => name).join(', '))}</p>
          <OtherDeviceField form={form} device={device} idField="id" dir="input" />
        </>
      )}
    </FormDialog>
  )
}

/**
 * Exchanges the places of two devices. The hub names what the other one cannot take over.
 * @param place node id of the place, which the other device has afterwards
 */
const swap = (sn: string, other: string, place: number, name: string, options?: FailureOptions): Promise<Envelope> =>
  sendMutation(
    swapDevices,
    { sn, 'to-sn': other },
    {
      ...options,
      success: {
        text: OUTCOME.saved,
        names: [name],
        undo: undoIfUnchanged(
          () => send(queryDevice, { sn: other }),
          ({ dev }) => dev.id === place,
          () => swap(other, sn, place, name)
        )
      }
    }
  )

export function SwapDialog({ device, onClose }: { device: Device; onClose: (succeeded?: boolean) => void }) {
  const form = useForm(
    { other: required },
    { other: '' },
    ({ other }, options) => swap(device.sn, other, device.id, device.name, options),
    { fieldOfWireName: { 'to-sn': 'other' }, onSuccess: () => onClose(true) }
  )
  return (
    <FormDialog form={form} title={t(TEXT.swapTitle, device.name)} submitLabel={t(TEXT.swap)} onClose={onClose}>
      <p>{t(TEXT.swapText)}</p>
      <OtherDeviceField form={form} device={device} idField="sn" />
    </FormDialog>
  )
}
