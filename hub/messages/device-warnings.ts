// Sentences for the warnings of a device: the cause, then the next step.
import { DEVICE_WARNING_BITS } from '../../contract/device/status.ts'
import { WARNING_LABELS } from '../../contract/text/sentences.ts'
import { type Language, type Translation, translate } from './language.ts'

type WarningName = keyof typeof DEVICE_WARNING_BITS

const CHECK_DRIVE: Translation = ['Replace or format the USB drive.', '请更换或格式化 USB 存储。']
const DELETE_RECORDINGS: Translation = ['Delete recordings that are no longer needed.', '请删除不再需要的录制文件。']
const UPDATE_FIRMWARE: Translation = ['Update its firmware.', '请更新设备固件。']

const STEPS: Readonly<Record<WarningName, Translation>> = {
  noSignal: ['Check the source and its cable.', '请检查信号源及其线缆。'],
  usbInvalid: CHECK_DRIVE,
  usbFull: DELETE_RECORDINGS,
  storageFull: DELETE_RECORDINGS,
  firmwareUnsupported: UPDATE_FIRMWARE,
  firmwareOld: UPDATE_FIRMWARE
}

/** The warnings of a mask (`dev-warns`), and on a second line what to do; empty without a warning that is known. */
export function deviceWarningLines(language: Language, mask: number): string {
  const names = (Object.keys(WARNING_LABELS) as WarningName[]).filter((name) => mask & DEVICE_WARNING_BITS[name])
  if (names.length === 0) return ''
  const [comma, period, space] = language === 'zh' ? ['，', '。', ''] : [', ', '.', ' ']
  const labels = names.map((name) => translate(language, WARNING_LABELS[name]))
  const steps = new Set(names.map((name) => translate(language, STEPS[name])))
  return `${labels.join(comma)}${period}\n${[...steps].join(space)}`
}
