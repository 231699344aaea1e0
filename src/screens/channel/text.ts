// Sentences of channels. Imported as `* as TEXT`, so that the bundle leaves out unused ones and contains no names of
// sentences.
import { type Translation, t } from '../../text/language.ts'

export const title: Translation = ['Channels', '频道']
export const name: Translation = ['Name', '名称']
export const state: Translation = ['State', '状态']
export const input: Translation = ['Input', '输入']
export const outputs: Translation = ['Outputs', '输出']
export const rate: Translation = ['Bit rate', '码率']
export const upTime: Translation = ['Up time', '运行时间']
export const add: Translation = ['Add channel', '添加频道']
export const settings: Translation = ['Settings', '设置']
export const start: Translation = ['Start {0}', '启动 {0}']
export const stop: Translation = ['Stop {0}', '停止 {0}']
export const remove: Translation = ['Delete {0}', '删除 {0}']
export const itemCount: Translation = ['{0} items', '{0} 项']
export const removeText: Translation = [
  'The channel goes off air. Inputs and outputs are kept.',
  '频道将停止播出，输入和输出会保留。'
]
export const stopText: Translation = ['Viewers lose the picture.', '观众将看不到画面。']
export const setInput: Translation = ['Change input', '更改输入']
/** A title: an action and its object. */
export const of: Translation = ['{0}: {1}', '{0}：{1}']
export const unknown: Translation = [
  'This channel does not exist, or you have no access to it.',
  '频道不存在，或您无权访问。'
]
export const hiddenInput: Translation = ['Device of other users', '其他用户的设备']
export const hiddenText: Translation = [
  'No access to this device. An administrator can give you access to it.',
  '您无权查看此设备，可由管理员授予访问权限。'
]
export const addOutput: Translation = ['Add output', '添加输出']
export const duplicate: Translation = ['Duplicate', '复制频道']
export const leftOut: Translation = ['Not copied: {0}', '未复制：{0}']
export const leftOutPort: Translation = ['port in use', '端口已被占用']
export const leftOutTarget: Translation = ['target in use', '目标已被使用']
export const leftOutDevice: Translation = ['decoder', '解码器']
export const sendToDecoder: Translation = ['Send to decoder', '发送到解码器']
export const savedOutput: Translation = ['Saved output', '已保存的输出']
export const edit: Translation = ['Edit {0}', '编辑 {0}']
export const detach: Translation = ['Remove {0}', '移除 {0}']
export const none: Translation = ['None', '无']
export const addInput: Translation = ['Add input', '添加输入']
export const empty: Translation = ['No channels yet', '暂无频道']
export const emptyText: Translation = ['A channel sends one input to many outputs.', '频道将一个输入发送到多个输出。']
export const counts: Translation = [
  '{0} channels, {1} started, {2} with media, {3} outputs on, {4} SRT servers',
  '{0} 个频道，{1} 个已启动，{2} 个有媒体，{3} 个活动输出，{4} 个 SRT 服务器'
]
export const addBackup: Translation = ['Add backup', '添加备用输入']
export const raise: Translation = ['Move up {0}', '上移 {0}']
export const byHand: Translation = [
  'A manual start or stop holds until the next scheduled change.',
  '手动启停在下一次定时之前有效。'
]

export const calendar: Translation = ['Calendar', '日历']

/** Label of a shared port: its number, or 'Settings' if the number is not given. */
export const portLabel = (name: string, port?: number): string => t(of, name.toUpperCase(), port ?? t(settings))
