// What can go wrong with an update of firmware, in words: what happened, and what to do next.
import { CONN_RESET, DEVICE_TYPE_ERROR, INVALID_DATA, UNKNOWN_ERROR, VERIFY_FAILED } from '../../contract/codes.ts'
import { FIRMWARE_SPACE_MIN, type FirmwareError } from '../../contract/firmware.ts'
import { codeText } from './codes.ts'
import { type Language, type Pair, say } from './language.ts'

const FIRMWARE: Readonly<Record<FirmwareError, readonly Pair[]>> = {
  'download-failed': [
    ['The firmware could not be downloaded', '固件下载失败'],
    ['Check the network, then try again.', '请检查网络后重试。']
  ],
  'installation-failed': [
    ['The firmware could not be installed', '固件安装失败'],
    ['The device keeps the one it has. Try again.', '设备保留原有固件，请重试。']
  ],
  busy: [
    ['Another update is under way', '正在进行其他更新'],
    ['Wait until it is done.', '请等待其完成。']
  ],
  'file-missing': [
    ['The firmware file was not found', '未找到固件文件'],
    ['Upload it again.', '请重新上传。']
  ],
  'wrong-model': [
    ['The file does not match the model', '文件与设备型号不匹配'],
    ['Choose another one.', '请换一个。']
  ],
  'space-below-minimum': [
    ['Less than {min} MB of space', '可用空间不足 {min} MB'],
    ['Free some space first.', '请先释放空间。']
  ],
  'no-space': [
    ['Not enough space', '空间不足'],
    ['Free some space first.', '请先释放空间。']
  ]
}

/** The sentences of a firmware error, each for a line of its own. */
export function firmwareText(language: Language, error: FirmwareError): string[] {
  return FIRMWARE[error].map((line) => say(language, line, { min: FIRMWARE_SPACE_MIN }))
}

/** Reasons that say less than what they mean for an update. */
const ERRORS: Readonly<Record<number, FirmwareError>> = {
  [CONN_RESET]: 'download-failed',
  [INVALID_DATA]: 'installation-failed',
  [UNKNOWN_ERROR]: 'installation-failed',
  [VERIFY_FAILED]: 'installation-failed',
  [DEVICE_TYPE_ERROR]: 'wrong-model'
}

/** Why an update failed, in words. @param reason a result code */
export function updateText(language: Language, reason: number): string {
  const error = ERRORS[reason]
  return error ? firmwareText(language, error).join(language === 'zh' ? '。' : '. ') : codeText(language, reason)
}
