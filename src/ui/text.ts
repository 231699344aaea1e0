// The sentences of the widgets. Imported as `* as TEXT`, so that the bundle leaves out unused ones and contains no
// names of sentences.
import type { Translation } from '../text/language.ts'

export const close: Translation = ['Close', '关闭']
export const save: Translation = ['Save', '保存']
export const cancel: Translation = ['Cancel', '取消']
export const question: Translation = ['{0}?', '{0}？']
export const retry: Translation = ['Retry', '重试']
export const loading: Translation = ['Loading', '正在加载']
export const loadFailed: Translation = ['Failed to load', '加载失败']
export const unreachable: Translation = [
  'The hub cannot be reached. The page continues when it responds again.',
  '无法连接到中控。恢复响应后页面将自动继续。'
]
export const codeFailed: Translation = [
  'This part of the console could not be loaded. Check the connection to the hub.',
  '控制台的这一部分未能加载。请检查与中控的连接。'
]
export const accessDenied: Translation = ['You do not have access permission', '您没有访问权限']
export const adminRequired: Translation = ['Admin account permission required', '需要管理员权限']
export const deniedHint: Translation = ['Ask an administrator for it.', '请联系管理员授权。']
export const open: Translation = ['Open', '打开']
export const undo: Translation = ['Undo', '撤销']
export const dismiss: Translation = ['Dismiss', '关闭']
export const notifications: Translation = ['Notices', '通知']
export const columns: Translation = ['Columns', '列设置']
export const resetColumns: Translation = ['Reset', '重置']
export const selectedCount: Translation = ['{0} selected', '已选 {0} 项']
export const selectAll: Translation = ['Select all', '全选']
export const selectRow: Translation = ['Select', '选择']
export const clearSelection: Translation = ['Clear selection', '取消选择']
export const details: Translation = ['Details', '详情']
export const actions: Translation = ['Actions', '操作']
export const actionsOf: Translation = ['Actions: {0}', '操作：{0}']
export const more: Translation = ['More', '更多']
export const filtersAndActions: Translation = ['Filters and actions', '筛选与操作']
export const search: Translation = ['Search', '搜索']
export const rowRange: Translation = ['{0}-{1} of {2}', '第 {0}-{1} 项，共 {2} 项']
export const previousPage: Translation = ['Previous page', '上一页']
export const nextPage: Translation = ['Next page', '下一页']
export const copy: Translation = ['Copy', '复制']
export const copied: Translation = ['Copied', '已复制']
export const qrCode: Translation = ['QR code', '二维码']
export const show: Translation = ['Show', '显示']
export const currentAndMax: Translation = ['{0}: {1} now, peak {2}', '{0}：当前 {1}，峰值 {2}']
export const arrowKeysHint: Translation = ['Use the arrow keys to read single values.', '方向键可逐个读取数值。']
