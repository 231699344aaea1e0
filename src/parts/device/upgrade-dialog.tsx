// Brings firmware to devices: which one, in which waves, and what is to be agreed to before.
import { useState } from 'react'
import { startRollout } from '../../../contract/firmware.ts'
import { fitsDevice, versionText } from '../../../contract/mwf.ts'
import { versionQuestion } from '../../../contract/rules/file.ts'
import { numberRange } from '../../../contract/rules/number.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { NumberField } from '../../form/number-field.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { SwitchField } from '../../form/switch-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { send } from '../../link/send.ts'
import { link } from '../../paths.ts'
import { $firmware, firmwareName } from '../../state/firmware.ts'
import { navigate, useQuery } from '../../state/location.ts'
import { type Pair, t } from '../../text/language.ts'
import { questionText } from '../../text/questions.ts'
import { useStore } from '../../ui/use-store.ts'
import { onMany } from '../bulk-action.tsx'
import type { DeviceDialogProps } from './device-dialogs.tsx'

const TEXT = {
  title: ['Update firmware', '更新固件'],
  firmware: ['Firmware', '固件'],
  none: ['No fitting firmware: upload a .mwf file.', '暂无适用的固件，请上传 .mwf 文件。'],
  wave: ['Devices at a time, after the first one', '首台成功后每批设备数'],
  stop: ['Stop after so many failures (0: never)', '失败多少台后停止（0 为不停止）'],
  disclaimer: [
    'This is a test build: it may be unstable or lose settings. Do not use it for productions.',
    '这是测试版固件，可能不稳定或丢失设置，请勿用于正式制作。'
  ],
  agree: ['I have read this and agree', '我已阅读并同意']
} as const satisfies Record<string, Pair>

/** What a request may ask for at most (contract/requests). */
const MOST = 1000

/** Starts a rollout, which begins with one device. Of several devices, leads to it. */
export function UpgradeDialog({ devices, onClose }: DeviceDialogProps) {
  const { items, phase } = useStore($firmware)
  const files = items.filter((file) => devices.some((device) => fitsDevice(file, device)))
  const many = devices.length > 1

  const [chosen, choose] = useState(useQuery().get('firmware') ?? '')
  const file = files.find(({ id }) => String(id) === chosen) ?? files[0]
  const [lower] = devices.flatMap((device) =>
    file && fitsDevice(file, device) ? (versionQuestion(device['firmware-ver'], versionText(file)) ?? []) : []
  )
  const test = file?.['firmware-id'] === 1

  const form = useForm(
    {
      file: () => (file ? undefined : { name: 'required' }),
      wave: numberRange(1, MOST),
      stop: numberRange(0, MOST),
      agreed: (id) => (id === file?.id || !(lower || test) ? undefined : { name: 'required' })
    },
    { file: '', wave: '10', stop: '1', agreed: 0 },
    async (values) => {
      const plan = { 'firmware-id': file?.id ?? 0, wave: Number(values.wave), 'stop-after': Number(values.stop) }
      const make = (sn: string[], force: object) =>
        send(startRollout, { sn, ...plan, ...(lower && { force: true }), ...force })
      const well = await onMany({ title: t(TEXT.title), devices, make, batch: devices.length })
      onClose(well)
      if (well && many) navigate(link('firmware', { tab: 'rollouts' }))
      return undefined
    }
  )
  return (
    <FormDialog form={form} verb={t(TEXT.title)} onClose={() => onClose()}>
      <SelectField
        {...form.field('file')}
        value={String(file?.id)}
        onValue={choose}
        label={t(TEXT.firmware)}
        hint={phase === 'ready' && !file ? t(TEXT.none) : undefined}
        options={files.map((one) => ({ value: String(one.id), label: firmwareName(one) }))}
      />
      {many && (
        <>
          <NumberField {...form.field('wave')} label={t(TEXT.wave)} />
          <NumberField {...form.field('stop')} label={t(TEXT.stop)} />
        </>
      )}
      {lower && <p className="banner">{questionText(lower)}</p>}
      {test && <p className="banner">{t(TEXT.disclaimer)}</p>}
      {(lower || test) && (
        <SwitchField
          box
          {...form.field('agreed')}
          // Another file was not what was agreed to.
          value={form.values.agreed === file?.id}
          onValue={(yes) => form.set({ agreed: yes ? file?.id : 0 })}
          label={t(TEXT.agree)}
        />
      )}
    </FormDialog>
  )
}
