// Labels of the stored consoles: the hub uses them for its responses, the console for responses without labels.
import type { StatusInfo } from '../device/status.ts'
import type { ConsoleUse, StoredConsole } from '../update.ts'
import type { Translation } from './language.ts'

/** Names of the slots. */
export const SLOT_LABELS: Readonly<Record<StoredConsole['slot'], Translation>> = {
  'built-in': ['Built-in', '内置'],
  a: ['Slot A', '安装槽 A'],
  b: ['Slot B', '安装槽 B'],
  uploaded: ['New', '新上传']
}

const STANDBY = ['off', ['Standby', '备用']] as const

/** What each console is used for. `{0}` is the rest of the trial in seconds. */
export const USE_LABELS: Readonly<Record<ConsoleUse, readonly [tone: StatusInfo['tone'], text: Translation]>> = {
  ready: ['good', ['Verified', '已校验']],
  active: ['good', ['In use', '使用中']],
  trial: ['busy', ['On trial, {0} s left', '试运行，剩余 {0} 秒']],
  former: STANDBY,
  kept: STANDBY
}
