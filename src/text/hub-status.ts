// Sentences for the bits of the hub's `status-code`.
import { SYSTEM_STATUS_BITS, UPDATE_STATUS_BITS } from '../../contract/system.ts'
import { type Translation, t } from './language.ts'

const SENTENCES: readonly (readonly [bit: number, text: Translation])[] = [
  [SYSTEM_STATUS_BITS.engineAway, ['The stream engine is not responding.', '流引擎没有响应。']],
  [SYSTEM_STATUS_BITS.srtFailed, ['The SRT service failed to start.', 'SRT 服务启动失败。']],
  [SYSTEM_STATUS_BITS.lowMemory, ['Memory is too low for normal operation.', '内存过低，无法正常工作。']],
  [SYSTEM_STATUS_BITS.rebooting, ['The hub is restarting.', '中控正在重启。']],
  [SYSTEM_STATUS_BITS.shuttingDown, ['The machine is shutting down.', '机器正在关机。']],
  [SYSTEM_STATUS_BITS.resetting, ['All settings are being reset.', '正在重置所有设置。']],
  [SYSTEM_STATUS_BITS.importing, ['Settings are being imported.', '正在导入设置。']],
  [SYSTEM_STATUS_BITS.updating, ['The hub is being updated.', '中控正在更新。']],
  [UPDATE_STATUS_BITS.failed, ['Hub update failed.', '中控更新失败。']],
  [UPDATE_STATUS_BITS.unavailable, ['The update service is not available.', '更新服务不可用。']],
  [UPDATE_STATUS_BITS.checking, ['Checking for updates.', '正在检查更新。']],
  [UPDATE_STATUS_BITS.checkingOnline, ['Checking for a version online.', '正在检查在线版本。']],
  [UPDATE_STATUS_BITS.downloading, ['Downloading an update.', '正在下载更新。']],
  [UPDATE_STATUS_BITS.verifying, ['Verifying an update.', '正在校验更新。']],
  [UPDATE_STATUS_BITS.uploading, ['An update is being uploaded.', '正在上传更新。']],
  [UPDATE_STATUS_BITS.cancelling, ['The update is being cancelled.', '正在取消更新。']],
  [UPDATE_STATUS_BITS.restarting, ['Update installed. The new version is starting.', '更新已安装，新版本正在启动。']],
  [SYSTEM_STATUS_BITS.newVersion, ['A new version is available.', '有新版本可用。']]
]

/** What the hub is doing as a whole, so that every page shows it. */
export const HUB_BUSY_BITS =
  SYSTEM_STATUS_BITS.rebooting |
  SYSTEM_STATUS_BITS.shuttingDown |
  SYSTEM_STATUS_BITS.resetting |
  SYSTEM_STATUS_BITS.importing |
  SYSTEM_STATUS_BITS.updating

/** The sentences for a `status-code`, the most important first. */
export function hubStatusText(statusCode: number): string[] {
  return SENTENCES.filter(([bit]) => statusCode & bit).map(([, text]) => t(text))
}
