// Starts a firmware rollout: the firmware file, the size of the waves, and the consent to a downgrade or a test build.
import { useState } from 'react'
import { startRollout } from '../../../contract/firmware.ts'
import { fitsDevice, formatVersion } from '../../../contract/mwf.ts'
import { downgradePrompt } from '../../../contract/rules/file.ts'
import { numberRange } from '../../../contract/rules/number.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { NumberField } from '../../form/number-field.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { SwitchField } from '../../form/switch-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { send } from '../../link/send.ts'
import { linkTo } from '../../paths.ts'
import { $firmware, firmwareName } from '../../state/firmware.ts'
import { navigate, useQuery } from '../../state/location.ts'
import { type Translation, t } from '../../text/language.ts'
import { downgradeQuestion } from '../../text/questions.ts'
import { useStore } from '../../ui/use-store.ts'
import { runBulk } from '../bulk-action.ts'
import type { DeviceDialogProps } from './device-dialogs.tsx'

const TEXT = {
  title: ['Update firmware', '更新固件'],
  firmware: ['Firmware', '固件'],
  none: ['No matching firmware: upload a .mwf file.', '暂无适用的固件，请上传 .mwf 文件。'],
  wave: ['Devices at a time, after the first one', '首台成功后每批设备数'],
  stop: ['Stop after this many failures (0: never)', '失败多少台后停止（0 为不停止）'],
  disclaimer: [
    'This is a test build: it may be unstable or lose settings. Do not use it for productions.',
    '这是测试版固件，可能不稳定或丢失设置，请勿用于正式制作。'
  ],
  agree: ['I have read this and agree', '我已阅读并同意']
} as const satisfies Record<string, Translation>

/** Limit of the hub for `wave` and `stop-after`. */
const COUNT_MAX = 1000

/** Starts a rollout, whose first wave is one device. For several devices, opens the list of rollouts afterwards. */
export function UpgradeDialog({ devices, onClose }: DeviceDialogProps) {
  const { items, phase } = useStore($firmware)
  const files = items.filter((file) => devices.some((device) => fitsDevice(file, device)))
  const isRollout = devices.length > 1

  const [selectedId, setSelectedId] = useState(useQuery().get('firmware') ?? '')
  const file = files.find(({ id }) => String(id) === selectedId) ?? files[0]
  const [versionWarning] = devices.flatMap((device) =>
    file && fitsDevice(file, device) ? (downgradePrompt(device['firmware-ver'], formatVersion(file)) ?? []) : []
  )
  const isTestBuild = file?.['firmware-id'] === 1

  const form = useForm(
    {
      file: () => (file ? undefined : { name: 'required' }),
      wave: numberRange(1, COUNT_MAX),
      stop: numberRange(0, COUNT_MAX),
      agreed: (id) => (id === file?.id || !(versionWarning || isTestBuild) ? undefined : { name: 'required' })
    },
    { file: '', wave: '10', stop: '1', agreed: 0 },
    async (values) => {
      const plan = { 'firmware-id': file?.id ?? 0, wave: Number(values.wave), 'stop-after': Number(values.stop) }
      const sendBatch = (sn: string[], force: object) =>
        send(startRollout, { sn, ...plan, ...(versionWarning && { force: true }), ...force })
      const succeeded = await runBulk({ title: t(TEXT.title), devices, sendBatch, batchSize: devices.length })
      onClose(succeeded)
      if (succeeded && isRollout) navigate(linkTo('firmware', { tab: 'rollouts' }))
      return undefined
    }
  )
  return (
    <FormDialog form={form} submitLabel={t(TEXT.title)} onClose={() => onClose()}>
      <SelectField
        {...form.field('file')}
        value={String(file?.id)}
        onValueChange={setSelectedId}
        label={t(TEXT.firmware)}
        hint={phase === 'ready' && !file ? t(TEXT.none) : undefined}
        options={files.map((entry) => ({ value: String(entry.id), label: firmwareName(entry) }))}
      />
      {isRollout && (
        <>
          <NumberField {...form.field('wave')} label={t(TEXT.wave)} />
          <NumberField {...form.field('stop')} label={t(TEXT.stop)} />
        </>
      )}
      {versionWarning && <p className="banner">{downgradeQuestion(versionWarning)}</p>}
      {isTestBuild && <p className="banner">{t(TEXT.disclaimer)}</p>}
      {(versionWarning || isTestBuild) && (
        <SwitchField
          checkbox
          {...form.field('agreed')}
          // The consent holds for one file: selecting another file clears it.
          value={form.values.agreed === file?.id}
          onValueChange={(isAgreed) => form.setValues({ agreed: isAgreed ? file?.id : 0 })}
          label={t(TEXT.agree)}
        />
      )}
    </FormDialog>
  )
}
