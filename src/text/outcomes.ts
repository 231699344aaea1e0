// Sentences of successful actions. `{0}` are the names of the objects.
import { inLanguage, type Translation, t } from './language.ts'

export const added: Translation = ['{0} added', '已添加 {0}']
export const saved: Translation = ['{0} saved', '已保存 {0}']
export const deleted: Translation = ['{0} deleted', '已删除 {0}']
export const restored: Translation = ['{0} restored', '已恢复 {0}']
export const removed: Translation = ['{0} removed', '已移除 {0}']
export const started: Translation = ['{0} started', '已启动 {0}']
export const stopped: Translation = ['{0} stopped', '已停止 {0}']
export const rejected: Translation = ['{0} rejected', '已拒绝 {0}']
export const moved: Translation = ['{0} moved', '已移动 {0}']
export const rebooting: Translation = ['{0} is rebooting', '{0} 正在重启']
export const recordingStarted: Translation = ['Recording started: {0}', '已开始录制：{0}']
export const recordingStopped: Translation = ['Recording stopped: {0}', '已停止录制：{0}']
export const liveStarted: Translation = ['Streaming started: {0}', '已开始推流：{0}']
export const liveStopped: Translation = ['Streaming stopped: {0}', '已停止推流：{0}']
export const updating: Translation = ['Update queued: {0}', '更新已排队：{0}']
export const paused: Translation = ['{0} paused', '已暂停 {0}']
export const retrying: Translation = ['Retrying {0}', '正在重试 {0}']
export const reset: Translation = ['Statistics of {0} reset', '已重置 {0} 的统计']
export const signedOut: Translation = ['{0} signed out', '{0} 已退出登录']
export const settingsSaved: Translation = ['Settings saved', '已保存设置']
export const disconnected: Translation = ['{0} disconnected', '已断开 {0}']

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
