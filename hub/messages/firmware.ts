// Status of firmware updates and rollouts, and sentences for their errors: the problem, then the next steps.
import {
  CANCELED,
  CONN_RESET,
  DEVICE_BUSY,
  DEVICE_TYPE_ERROR,
  INVALID_DATA,
  NO_SPACE,
  NOT_EXIST,
  UNKNOWN_ERROR,
  VERIFY_FAILED,
  WRITE_FAILED
} from '../../contract/codes.ts'
import type { DeviceUpdate, StatusInfo } from '../../contract/device/status.ts'
import { FIRMWARE_SPACE_MIN, type FirmwareError } from '../../contract/firmware.ts'
import { INSTALLATION_STATE } from '../../contract/installation-state.ts'
import type { Rollout } from '../../contract/rollout.ts'
import { UPDATE_FAILED, UPDATE_STATE_SENTENCES } from '../../contract/text/error-sentences.ts'
import { codeText } from './codes.ts'
import { type Language, type Translation, translate } from './language.ts'

const FIRMWARE: Readonly<Record<FirmwareError, readonly Translation[]>> = {
  'download-failed': [
    ['Firmware download failed', '固件下载失败'],
    ['Check the network, then try again.', '请检查网络后重试。']
  ],
  'installation-failed': [
    ['Firmware installation failed', '固件安装失败'],
    ['The device keeps its current firmware. Try again.', '设备保留原有固件，请重试。']
  ],
  busy: [
    ['Another update is in progress', '正在进行其他更新'],
    ['Wait until it is finished.', '请等待其完成。']
  ],
  'file-missing': [
    ['Firmware file not found', '未找到固件文件'],
    ['Upload it again.', '请重新上传。']
  ],
  'wrong-model': [
    ['The file does not match the model', '文件与设备型号不匹配'],
    ['Choose another one.', '请换一个。']
  ],
  'space-below-minimum': [
    ['Less than {min} MB free', '可用空间不足 {min} MB'],
    ['Free some space first.', '请先释放空间。']
  ],
  'no-space': [
    ['Not enough space', '空间不足'],
    ['Free some space first.', '请先释放空间。']
  ]
}

/** Lines for a firmware error. */
export function firmwareErrorLines(language: Language, error: FirmwareError): string[] {
  return FIRMWARE[error].map((line) => translate(language, line, { min: FIRMWARE_SPACE_MIN }))
}

/** Result codes for which there is a more specific firmware error. */
const ERRORS: Readonly<Record<number, FirmwareError>> = {
  [CONN_RESET]: 'download-failed',
  [INVALID_DATA]: 'installation-failed',
  [UNKNOWN_ERROR]: 'installation-failed',
  [VERIFY_FAILED]: 'installation-failed',
  [WRITE_FAILED]: 'installation-failed',
  [DEVICE_TYPE_ERROR]: 'wrong-model',
  [DEVICE_BUSY]: 'busy',
  [NOT_EXIST]: 'file-missing',
  [NO_SPACE]: 'no-space'
}

/** Why an update failed. @param reason a result code */
export function updateFailureText(language: Language, reason: number): string {
  const error = ERRORS[reason]
  return error ? firmwareErrorLines(language, error).join(language === 'zh' ? '。' : '. ') : codeText(language, reason)
}

type StatusLabel = readonly [tone: StatusInfo['tone'], text: Translation]

/** Status of a device update, with its progress or the reason for a failure. */
export function deviceUpdateStatus(language: Language, { state, progress, reason }: DeviceUpdate): StatusInfo {
  const [tone, text] = UPDATE_STATE_SENTENCES[state] ?? UPDATE_FAILED
  if (tone !== 'bad') return { tone, text: translate(language, text, [Math.round(progress)]) }
  const why = updateFailureText(language, reason ?? UNKNOWN_ERROR)
  return reason === CANCELED ? { tone: 'off', text: why } : { tone, text: translate(language, text, [why]) }
}

const ROLLOUTS: Readonly<Record<Rollout['state'], StatusLabel>> = {
  running: ['busy', ['In progress', '进行中']],
  paused: ['warn', ['Paused', '已暂停']],
  stopped: ['bad', ['Stopped after failures', '因失败而停止']],
  done: ['good', ['Done', '完成']],
  cancelled: ['off', ['Cancelled', '已取消']]
}
const ENDED_WITH_FAILURES: StatusLabel = ['bad', ['Completed with failures', '已完成，部分失败']]

/** Status of a rollout. A finished rollout with failures is `bad`. @param failed number of failed devices */
export function rolloutStatus(language: Language, state: Rollout['state'], failed: number): StatusInfo {
  const [tone, text] = state === 'done' && failed > 0 ? ENDED_WITH_FAILURES : ROLLOUTS[state]
  return { tone, text: translate(language, text) }
}

/** By `INSTALLATION_STATE`. */
const DOWNLOADS: Readonly<Record<number, readonly [tone: StatusInfo['tone'], text: Translation]>> = {
  [INSTALLATION_STATE.failed]: ['bad', ['Failed', '失败']],
  [INSTALLATION_STATE.idle]: ['off', ['Not downloaded', '未下载']],
  [INSTALLATION_STATE.init]: ['busy', ['Connecting', '正在连接']],
  [INSTALLATION_STATE.updating]: ['busy', ['Verifying', '正在校验']],
  [INSTALLATION_STATE.done]: ['good', ['Downloaded', '已下载']],
  [INSTALLATION_STATE.download]: ['busy', ['Downloading, {0} %', '正在下载，{0}%']]
}

export function downloadStatus(language: Language, state: number, progress: number): StatusInfo {
  const [tone, text] = DOWNLOADS[state] ?? ['off', ['', '']]
  return { tone, text: translate(language, text, [progress]) }
}
