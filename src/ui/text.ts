// The kit's own words, to be imported as `* as TEXT`: what is not said is then left out of the bundle, and no names are in it.
import type { Pair } from '../text/language.ts'

export const close: Pair = ['Close', '关闭']
export const cancel: Pair = ['Cancel', '取消']
export const retry: Pair = ['Retry', '重试']
export const loading: Pair = ['Loading', '正在加载']
export const failed: Pair = ['Could not be loaded', '加载失败']
export const denied: Pair = ['You do not have access permission', '您没有访问权限']
export const deniedWhy: Pair = [
  'Ask an administrator for it.',
  '请联系管理员授权。'
]
export const dismiss: Pair = ['Dismiss', '关闭']
export const notices: Pair = ['Notices', '通知']
export const columns: Pair = ['Columns', '列设置']
export const standard: Pair = ['Reset', '恢复默认']
export const selected: Pair = ['{0} selected', '已选 {0} 项']
export const selectAll: Pair = ['Select all', '全选']
export const select: Pair = ['Select', '选择']
export const clear: Pair = ['Clear selection', '取消选择']
export const expand: Pair = ['Details', '详情']
export const actions: Pair = ['Actions', '操作']
export const actionsOf: Pair = ['Actions: {0}', '操作：{0}']
export const more: Pair = ['More', '更多']
export const search: Pair = ['Search', '搜索']
export const rows: Pair = ['{0}-{1} of {2}', '第 {0}-{1} 项，共 {2} 项']
export const previous: Pair = ['Previous page', '上一页']
export const next: Pair = ['Next page', '下一页']
export const copy: Pair = ['Copy', '复制']
export const copied: Pair = ['Copied', '已复制']
export const show: Pair = ['Show', '显示']
export const now: Pair = ['{0}: {1} now, {2} at most', '{0}：当前 {1}，最高 {2}']
export const move: Pair = ['Arrow keys read single values.', '方向键可逐个读取数值。']
