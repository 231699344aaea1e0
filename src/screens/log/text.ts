export const TEXT = {
  time: ['Time', '时间'],
  address: ['Address', '地址'],
  details: ['Details', '详情'],
  repeats: ['×{0} since {1}', '自 {1} 起 ×{0}'],
  export: ['Export {0}', '导出 {0}'],
  settings: ['Settings', '设置'],
  cleared: ['Log cleared: {0}', '已清空日志：{0}'],
  clear: ['Clear log', '清空日志'],
  clearText: [
    'This cannot be undone. The operation log keeps an entry that says when you did it.',
    '此操作无法撤销。操作日志会保留一条记录，注明您的操作时间。'
  ],
  empty: ['No entries yet.', '暂无记录。'],
  noneFound: ['Nothing found', '未找到']
} as const
