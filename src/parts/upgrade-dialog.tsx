// Brings firmware to devices: which one, in which waves, and what is to be agreed to before.
import { useEffect, useState } from 'react'
import { SUCCESS } from '../../contract/codes.ts'
import type { Device } from '../../contract/device.ts'
import { versionQuestion } from '../../contract/file-rules.ts'
import { type Firmware, listFirmware, startRollout } from '../../contract/firmware.ts'
import { fitsDevice, versionText } from '../../contract/mwf.ts'
import { numberRange } from '../../contract/number-rules.ts'
import { type RuleSet, required } from '../../contract/rules.ts'
import { FormDialog } from '../form/form-dialog.tsx'
import { NumberField } from '../form/number-field.tsx'
import { SelectField } from '../form/select-field.tsx'
import { SwitchField } from '../form/switch-field.tsx'
import { useForm } from '../form/use-form.ts'
import { send } from '../link/send.ts'
import { link } from '../paths.ts'
import { refreshLive } from '../state/live.ts'
import { navigate } from '../state/location.ts'
import { showTip } from '../state/tip.ts'
import { act } from '../state/toasts.ts'
import { codeText } from '../text/codes.ts'
import { type Pair, t } from '../text/language.ts'
import { questionText } from '../text/questions.ts'
import { confirm } from '../ui/confirm.tsx'

const TEXT = {
  title: ['Update {0}', '更新{0}'],
  to: ['Firmware: {0} {1}', '固件：{0} {1}'],
  these: ['{0} devices', '{0} 台设备'],
  verb: ['Update', '更新'],
  version: ['Version', '版本'],
  choose: ['Choose', '请选择'],
  test: ['{0} (test build)', '{0}（测试版）'],
  none: ['There is no firmware for it. Upload one first.', '没有适用的固件，请先上传。'],
  fit: [
    'It is for {0} of the {1} chosen devices; the others are left out.',
    '适用于所选 {1} 台设备中的 {0} 台，其余将被忽略。'
  ],
  first: ['Devices of the first wave', '首批设备数'],
  wave: ['Devices of each further wave', '后续每批设备数'],
  stop: ['Stop after so many failures', '失败多少台后停止'],
  stopHint: ['0 = go on whatever fails', '0 表示失败后仍继续'],
  most: ['{0} devices at most can be updated at a time.', '一次最多可更新 {0} 台设备。'],
  disclaimer: [
    'This is a test build. It may be unstable, may lose settings, and is not meant for productions.',
    '这是测试版固件，可能不稳定或丢失设置，不适用于正式制作。'
  ],
  agree: ['I have read this and want to use it', '我已阅读并同意使用'],
  lower: ['Install a lower version?', '安装更低的版本？'],
  lowerMany: [
    '{0} devices have a higher version than {1}. Data and settings on them may be lost. Install it?',
    '{0} 台设备的版本高于 {1}，其数据和设置可能会丢失。是否安装？'
  ],
  install: ['Install', '安装'],
  left: ['Not updated', '未更新'],
  leftLine: ['{0}: {1}', '{0}：{1}']
} as const satisfies Record<string, Pair>

interface Values {
  file: string
  first: string
  wave: string
  stop: string
  agreed: boolean
}

/** What a request may ask for at most (contract/requests). */
const MOST = 1000

const label = (file: Firmware) => {
  const version = versionText(file)
  return file['firmware-id'] ? t(TEXT.test, version) : version
}

/** What is installed on whom, where that is higher than what is to come. */
function higher(devices: readonly Device[], file: Firmware): string[] {
  const to = versionText(file)
  return devices.flatMap(({ 'firmware-ver': from }) => (versionQuestion(from, to) ? [from] : []))
}

/** Asks where a lower version would be installed. @returns whether it may be, or nothing was to be asked */
async function mayLower(installed: readonly string[], to: string): Promise<boolean> {
  const [from = ''] = installed
  if (installed.length === 0) return true
  const question = { name: 'lower-version', from, to } as const
  const text = installed.length > 1 ? t(TEXT.lowerMany, installed.length, to) : questionText(question)
  return confirm({ title: t(TEXT.lower), text, verb: t(TEXT.install), danger: true })
}

interface UpgradeProps {
  devices: readonly Device[]
  /** The firmware, where it is chosen already; else one of those for the first device is to be chosen. */
  file?: Firmware
  /** Told whether a rollout was started. */
  onClose: (well?: boolean) => void
}

/** Starts a rollout, and leads to it where it is of several devices. */
export function UpgradeDialog({ devices, file: given, onClose }: UpgradeProps) {
  const [files, setFiles] = useState<readonly Firmware[] | undefined>(given && [given])
  const [{ sn, name } = { sn: '', name: '' }] = devices
  useEffect(() => {
    if (!given) void send(listFirmware, { sn }).then(({ list = [] }) => setFiles(list))
  }, [])
  const fileOf = (id: string) => files?.find((one) => String(one.id) === id)

  const rules: RuleSet<Values> = {
    file: required,
    first: numberRange(0, MOST),
    wave: numberRange(1, MOST),
    stop: numberRange(0, MOST),
    agreed: (agreed, { file }) => (agreed || !fileOf(file)?.['firmware-id'] ? undefined : { name: 'required' })
  }
  const initial: Values = { file: given ? String(given.id) : '', first: '1', wave: '10', stop: '1', agreed: false }
  const form = useForm<Values>(rules, initial, start, { fields: { 'stop-after': 'stop' } })
  const file = fileOf(form.values.file)
  const fitting = file ? devices.filter((device) => fitsDevice(file, device)) : devices

  async function start(values: Values) {
    if (!file || fitting.length > MOST) return
    const installed = higher(fitting, file)
    if (!(await mayLower(installed, versionText(file)))) return
    const plan = { first: Number(values.first), wave: Number(values.wave), 'stop-after': Number(values.stop) }
    const answer = await act((force) =>
      send(startRollout, {
        sn: fitting.map((device) => device.sn),
        'firmware-id': file.id,
        ...(installed.length > 0 && { force: true }),
        ...(fitting.length > 1 && plan),
        ...force
      })
    )
    refreshLive()
    if (answer.result !== SUCCESS) return answer
    const names = new Map(fitting.map((device) => [device.sn, device.name]))
    const left = answer.details.filter(({ result }) => result !== SUCCESS)
    const lines = left.map(({ sn: serial, result }) => t(TEXT.leftLine, names.get(serial) ?? serial, codeText(result)))
    if (lines.length > 0) showTip({ title: t(TEXT.left), text: lines.join('; ') })
    onClose(true)
    if (fitting.length > 1) navigate(link('firmware', { tab: 'rollouts', rollout: String(answer.id) }))
    return undefined
  }

  const many = devices.length > 1
  return (
    <FormDialog
      form={form}
      title={t(TEXT.title, many ? t(TEXT.these, devices.length) : name)}
      verb={t(TEXT.verb)}
      onClose={() => onClose()}
    >
      {given ? (
        <p>{t(TEXT.to, given['product-name'], label(given))}</p>
      ) : (
        <SelectField
          {...form.field('file')}
          label={t(TEXT.version)}
          placeholder={t(TEXT.choose)}
          hint={files?.length === 0 ? t(TEXT.none) : undefined}
          options={(files ?? []).map((one) => ({ value: String(one.id), label: label(one) }))}
        />
      )}
      {fitting.length < devices.length && <p>{t(TEXT.fit, fitting.length, devices.length)}</p>}
      {fitting.length > MOST && (
        <p className="fault" role="alert">
          {t(TEXT.most, MOST)}
        </p>
      )}
      {many && (
        <div className="fields">
          <NumberField {...form.field('first')} label={t(TEXT.first)} />
          <NumberField {...form.field('wave')} label={t(TEXT.wave)} />
          <NumberField {...form.field('stop')} label={t(TEXT.stop)} hint={t(TEXT.stopHint)} />
        </div>
      )}
      {file !== undefined && file['firmware-id'] !== 0 && (
        <>
          <p className="banner">{t(TEXT.disclaimer)}</p>
          <SwitchField box {...form.field('agreed')} label={t(TEXT.agree)} />
        </>
      )}
    </FormDialog>
  )
}
