// Brings firmware to devices: which one, in which waves, and what is to be agreed to before.
import { versionQuestion } from '../../contract/file-rules.ts'
import { type Firmware, startRollout } from '../../contract/firmware.ts'
import { fitsDevice, versionText } from '../../contract/mwf.ts'
import { numberRange } from '../../contract/number-rules.ts'
import { FormDialog } from '../form/form-dialog.tsx'
import { NumberField } from '../form/number-field.tsx'
import { SelectField } from '../form/select-field.tsx'
import { SwitchField } from '../form/switch-field.tsx'
import { useForm } from '../form/use-form.ts'
import { send } from '../link/send.ts'
import { link } from '../paths.ts'
import { $firmware, firmwareName } from '../state/firmware.ts'
import { navigate, useQuery } from '../state/location.ts'
import { type Pair, t } from '../text/language.ts'
import { questionText } from '../text/questions.ts'
import { useStore } from '../ui/use-store.ts'
import type { DeviceDialogProps } from './device-dialogs.tsx'
import { onMany } from './many.tsx'

const TEXT = {
  title: ['Update firmware', '更新固件'],
  firmware: ['Firmware', '固件'],
  none: ['No firmware fits: upload a .mwf file first.', '没有适用的固件，请先上传 .mwf 文件。'],
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

  const chosen = (id: string) => files.find((file) => String(file.id) === id) ?? files[0]
  /** What is to be agreed to, and whether with it a lower version than is installed. */
  function risksOf(file: Firmware | undefined): { texts: string[]; lower: boolean } {
    const questions = devices.flatMap((device) =>
      file && fitsDevice(file, device) ? (versionQuestion(device['firmware-ver'], versionText(file)) ?? []) : []
    )
    const texts = questions.slice(0, 1).map(questionText)
    if (file?.['firmware-id']) texts.push(t(TEXT.disclaimer))
    return { texts, lower: questions.length > 0 }
  }

  const form = useForm(
    {
      file: (id: string) => (chosen(id) ? undefined : { name: 'required' }),
      wave: numberRange(1, MOST),
      stop: numberRange(0, MOST),
      agreed: (agreed: boolean, { file }) =>
        agreed || !risksOf(chosen(file)).texts.length ? undefined : { name: 'required' }
    },
    { file: useQuery().get('firmware') ?? '', wave: '10', stop: '1', agreed: false },
    async (values) => {
      const plan = { 'firmware-id': file?.id ?? 0, wave: Number(values.wave), 'stop-after': Number(values.stop) }
      const make = (sn: string[], force: object) =>
        send(startRollout, { sn, ...plan, ...(risks.lower && { force: true }), ...force })
      const well = await onMany({ title: t(TEXT.title), devices, make, batch: devices.length })
      onClose(well)
      if (well && many) navigate(link('firmware', { tab: 'rollouts' }))
      return undefined
    }
  )
  const file = chosen(form.values.file)
  const risks = risksOf(file)
  return (
    <FormDialog form={form} title={t(TEXT.title)} verb={t(TEXT.title)} onClose={() => onClose()}>
      <SelectField
        {...form.field('file')}
        value={String(file?.id)}
        // What was agreed to was another file.
        onValue={(id) => form.set({ file: id, agreed: false })}
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
      {risks.texts.map((risk) => (
        <p key={risk} className="banner">
          {risk}
        </p>
      ))}
      {risks.texts.length > 0 && <SwitchField box {...form.field('agreed')} label={t(TEXT.agree)} />}
    </FormDialog>
  )
}
