// Sentences for hardware updates: states of the update and of its components, and why it failed.
import type { StatusInfo } from '../../contract/device/status.ts'
import type { HardwareComponent, HardwareUpdateFault } from '../../contract/hardware-update.ts'
import { INSTALLATION_STATE } from '../../contract/installation-state.ts'
import { type Language, type Translation, translate } from './language.ts'

type Label = readonly [tone: StatusInfo['tone'], text: Translation]

const FAULTS: Readonly<Record<HardwareUpdateFault, Translation>> = {
  'not-started': ['The update program of this machine cannot be started', '无法启动本机的更新程序'],
  timeout: ['The update program does not answer, or makes no progress', '更新程序没有响应或没有进展'],
  output: ['The update program printed something unexpected', '更新程序输出了无法识别的内容'],
  exit: ['The update program ended without a result', '更新程序结束，但没有结果'],
  failed: ['The update program reports a failure', '更新程序报告失败'],
  interrupted: [
    'The hub was stopped during the update, and the update did not go on',
    '更新期间中控已停止，更新没有继续'
  ]
}

/** The state of an update. `{0}` is the component that is being written, `{1}` the progress in percent. */
const STATES: Readonly<Record<number, Label>> = {
  [INSTALLATION_STATE.failed]: ['bad', ['Failed', '失败']],
  [INSTALLATION_STATE.idle]: ['off', ['Idle', '空闲']],
  [INSTALLATION_STATE.init]: ['busy', ['Preparing', '正在准备']],
  [INSTALLATION_STATE.download]: ['busy', ['Downloading, {1} %', '正在下载，{1} %']],
  [INSTALLATION_STATE.done]: ['good', ['Done', '已完成']]
}
const UPDATING: Label = ['busy', ['Updating, {1} %', '正在更新，{1} %']]
const UPDATING_COMPONENT: Label = ['busy', ['Updating {0}, {1} %', '正在更新 {0}，{1} %']]

const WRITING: Label = ['busy', ['Updating', '正在更新']]
const NEEDS_REBOOT: Label = ['warn', ['Needs a reboot to take effect', '需要重启才能生效']]
const OFFERED: Label = ['warn', ['Update available', '有可用更新']]
const CURRENT: Label = ['good', ['Up to date', '已是最新']]

function describe(language: Language, [tone, text]: Label, values: readonly (string | number)[] = []): StatusInfo {
  return { tone, text: translate(language, text, values) }
}

/** @param name of the component that is being written; undefined if it is unknown. @param progress in percent */
export function hardwareStateInfo(
  language: Language,
  { state, progress, name }: { state: number; progress: number; name: string | undefined }
): StatusInfo {
  const label = STATES[state] ?? (name === undefined ? UPDATING : UPDATING_COMPONENT)
  return describe(language, label, [name ?? '', progress])
}

export function hardwareComponentInfo(
  language: Language,
  { version, offered = version, 'needs-reboot': needsReboot }: Omit<HardwareComponent, keyof StatusInfo>,
  isWriting: boolean
): StatusInfo {
  if (isWriting) return describe(language, WRITING)
  if (needsReboot) return describe(language, NEEDS_REBOOT)
  return describe(language, offered === version ? CURRENT : OFFERED)
}

/** Why it failed, for log entries; an unknown fault is returned unchanged. */
export const hardwareFaultText = (language: Language, fault: string): string =>
  Object.hasOwn(FAULTS, fault) ? translate(language, FAULTS[fault as HardwareUpdateFault]) : fault

/** Why it failed. @param words what the program said; may be empty */
export const hardwareFailureText = (language: Language, fault: HardwareUpdateFault, words: string): string =>
  [hardwareFaultText(language, fault), words].filter(Boolean).join(language === 'zh' ? '：' : ': ')
