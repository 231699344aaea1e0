// Updates of firmware in words: how they stand, and what can go wrong with them, with what to do next.
import {
  CANCELED,
  CONN_RESET,
  DEVICE_TYPE_ERROR,
  INVALID_DATA,
  UNKNOWN_ERROR,
  VERIFY_FAILED
} from '../../contract/codes.ts'
import type { DeviceUpdate, Standing } from '../../contract/device/device.ts'
import { FIRMWARE_SPACE_MIN, type FirmwareError, type Rollout } from '../../contract/firmware.ts'
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

type Word = readonly [tone: Standing['tone'], text: Pair]

const FAILED: Word = ['bad', ['Failed: {0}', '失败：{0}']]
/** By `UPDATE`, from 0 on. */
const UPDATES: readonly Word[] = [
  ['good', ['Updated', '已更新']],
  ['off', ['Waiting', '等待中']],
  ['busy', ['Updating: {0} %', '正在更新：{0} %']],
  ['busy', ['Installing: {0} %', '正在安装：{0} %']],
  ['busy', ['Restarting', '正在重启']]
]

/** How the update of a device stands: with its percent, or with the reason of a failure. */
export function updateStanding(language: Language, { state, progress, reason }: DeviceUpdate): Standing {
  const [tone, text] = UPDATES[state] ?? FAILED
  if (tone !== 'bad') return { tone, text: say(language, text, [Math.round(progress)]) }
  const why = updateText(language, reason ?? UNKNOWN_ERROR)
  return reason === CANCELED ? { tone: 'off', text: why } : { tone, text: say(language, text, [why]) }
}

const ROLLOUTS: Readonly<Record<Rollout['state'], Word>> = {
  running: ['busy', ['Under way', '进行中']],
  paused: ['warn', ['Paused', '已暂停']],
  stopped: ['bad', ['Stopped after failures', '因失败而停止']],
  done: ['good', ['Done', '完成']],
  cancelled: ['off', ['Cancelled', '已取消']]
}
const OVER: Word = ['bad', ['Ended with failures', '结束但有失败']]

/** How a rollout stands. Over is not yet good. @param failed devices */
export function rolloutStanding(language: Language, state: Rollout['state'], failed: number): Standing {
  const [tone, text] = state === 'done' && failed > 0 ? OVER : ROLLOUTS[state]
  return { tone, text: say(language, text) }
}
