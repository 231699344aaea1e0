// Sentences of successful actions. `{0}` are the names of the objects.
import { inLanguage, type Translation, t } from './language.ts'

export const OUTCOME = {
  added: ['{0} added', '已添加 {0}'],
  saved: ['{0} saved', '已保存 {0}'],
  deleted: ['{0} deleted', '已删除 {0}'],
  removed: ['{0} removed', '已移除 {0}'],
  started: ['{0} started', '已启动 {0}'],
  stopped: ['{0} stopped', '已停止 {0}'],
  accepted: ['{0} accepted', '已接受 {0}'],
  rejected: ['{0} rejected', '已拒绝 {0}'],
  moved: ['{0} moved', '已移动 {0}'],
  rebooting: ['{0} is rebooting', '{0} 正在重启'],
  recordingStarted: ['Recording started: {0}', '已开始录制：{0}'],
  recordingStopped: ['Recording stopped: {0}', '已停止录制：{0}'],
  liveStarted: ['Streaming started: {0}', '已开始推流：{0}'],
  liveStopped: ['Streaming stopped: {0}', '已停止推流：{0}'],
  updating: ['Update queued: {0}', '更新已排队：{0}'],
  settingsSaved: ['Settings saved', '已保存设置'],
  disconnected: ['{0} disconnected', '已断开 {0}']
} as const satisfies Record<string, Translation>

const MORE: Translation = ['{0} and {1} more', '{0} 及其他 {1} 项']

/** Names that a message lists before it counts the rest. */
const NAMES_MAX = 3

const lists = inLanguage((locale) => new Intl.ListFormat(locale))

/** 'A, B, and C', or 'A, B, C and 4 more'. */
export function nameList(names: readonly string[]): string {
  const shown = lists().format(names.slice(0, NAMES_MAX))
  const rest = names.length - NAMES_MAX
  return rest > 0 ? t(MORE, names.slice(0, NAMES_MAX).join(', '), rest) : shown
}
