// Sentences about restart, shutdown and reset (contract/machine/power.ts).
import type { Inhibitor } from '../../contract/machine/power.ts'
import { type Language, type Translation, translate } from './language.ts'

/** What keeps the hub from being restarted. */
export type BusyReason = 'update' | 'hardware' | 'firmware' | 'restarting' | 'shutting-down' | 'resetting' | 'importing'

const REBOOT_BUSY: Translation = ['Reboot busy', '重启繁忙']

const BUSY_SENTENCES: Readonly<Record<BusyReason, Translation>> = {
  update: ['The hub is being updated. Try again when the update has ended.', '中控正在更新。请在更新结束后重试。'],
  hardware: [
    'Hardware of this machine is being updated. Try again when the update has ended.',
    '正在更新本机硬件。请在更新结束后重试。'
  ],
  firmware: [
    'Firmware is being written to devices. Try again when the updates have ended, or cancel them.',
    '正在向设备写入固件。请在更新结束后重试，或取消更新。'
  ],
  restarting: ['The hub is already restarting.', '中控已在重启。'],
  'shutting-down': ['The machine is already shutting down.', '机器已在关机。'],
  resetting: ['All settings are being reset.', '正在重置所有设置。'],
  importing: ['Settings are being imported. Try again when the import has ended.', '正在导入设置。请在导入结束后重试。']
}

const INHIBITED: Translation = ['A program on this machine blocks this: {list}', '机器上的程序正在阻止此操作：{list}']

const FAILURES = {
  reboot: ['The machine was not restarted. {reason}', '机器未能重启。{reason}'],
  shutdown: ['The machine was not shut down. {reason}', '机器未能关机。{reason}']
} as const satisfies Record<string, Translation>
const STILL_RUNNING: Translation = ['It is still running.', '它仍在运行。']

/** The sentence alone. */
export const busyText = (language: Language, reason: BusyReason) => translate(language, BUSY_SENTENCES[reason])

/** Lines of a response. */
export const rebootBusyText = (language: Language, sentence: string) =>
  [translate(language, REBOOT_BUSY), sentence].join('\n')

/** Lines of a response. */
export function inhibitedText(language: Language, inhibitors: readonly Inhibitor[]): string {
  const list = inhibitors.map(({ who, why }) => `${who} (${why})`).join(', ')
  return rebootBusyText(language, translate(language, INHIBITED, { list }))
}

/** Why a restart or shutdown did not happen. @param reason text of the service; empty if there is none */
export function powerFailureText(language: Language, action: keyof typeof FAILURES, reason: string): string {
  return translate(language, FAILURES[action], { reason: reason || translate(language, STILL_RUNNING) })
}
