// What can go wrong with the live streams of a device, its Quick Stream and its streaming servers, in words: what happened, and what to do
// next.

import type { LiveError, QuickStreamError, ServerError } from '../../contract/device/live.ts'
import { SERVERS_MAX } from '../../contract/limits.ts'
import { type Language, type Pair, say } from './language.ts'

const LIVE: Readonly<Record<LiveError, readonly Pair[]>> = {
  'bad-settings': [
    ['The live settings are wrong', '直播设置有误'],
    ['Check its settings, then try again.', '请检查设置后重试。']
  ],
  'codec-error': [
    ['Codec error', '编解码错误'],
    ['Choose another codec or a lower resolution.', '请更换编码格式或降低分辨率。']
  ],
  'no-signal': [
    ['No input signal', '没有输入信号'],
    ['Check the input.', '请检查输入。']
  ],
  locked: [
    ['Live streaming is locked', '直播已锁定'],
    ['Unlock it on the device first.', '请先在设备上解锁。']
  ],
  'network-down': [
    ['Network disconnected', '网络已断开'],
    ['Check the network of the device.', '请检查设备的网络。']
  ],
  rebooting: [
    ['Busy: the device reboots', '设备正在重启'],
    ['Try again in a moment.', '请稍后重试。']
  ]
}

/** The sentences of a live error, each for a line of its own. */
export function liveLines(language: Language, error: LiveError): string[] {
  return LIVE[error].map((line) => say(language, line))
}

const QUICK_STREAM: Readonly<Record<QuickStreamError, readonly Pair[]>> = {
  'none-configured': [
    ['No Quick Stream configured', '未配置快速推流'],
    ['Choose its servers in the settings of the device.', '请在设备设置中选择服务器。']
  ],
  'too-many': [
    ['maximum Quick Stream servers reached', '快速推流服务器已达上限'],
    ['Remove one first.', '请先移除一个。']
  ],
  'test-running': [
    ['A stream test is running', '正在进行推流测试'],
    ['Wait until it is done.', '请等待其完成。']
  ],
  'operation-running': [
    ['Another operation is running', '正在执行其他操作'],
    ['Wait until it is done.', '请等待其完成。']
  ],
  'none-active': [['No Quick Stream is active', '没有正在进行的快速推流']]
}

/** The sentences of a Quick Stream error, each for a line of its own. */
export function quickStreamLines(language: Language, error: QuickStreamError): string[] {
  return QUICK_STREAM[error].map((line) => say(language, line))
}

const SERVER: Readonly<Record<ServerError, readonly Pair[]>> = {
  exists: [
    ['The server already exists', '服务器已存在'],
    ['Choose another one.', '请换一个。']
  ],
  'too-many': [
    ['{max} servers at most', '最多 {max} 个服务器'],
    ['Remove one first.', '请先移除一个。']
  ],
  deleted: [
    ['The configuration is deleted by others', '该配置已被他人删除'],
    ['The present state is shown.', '已显示最新状态。']
  ]
}

/** The sentences of an error with a streaming server, each for a line of its own. */
export function serverLines(language: Language, error: ServerError): string[] {
  return SERVER[error].map((line) => say(language, line, { max: SERVERS_MAX }))
}
