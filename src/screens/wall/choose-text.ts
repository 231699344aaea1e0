export const CHOOSE_TEXT = {
  title: ['Choose channels', '选择频道'],
  show: ['Show', '显示'],
  channels: ['Channels', '频道'],
  numChosen: ['{0} selected.', '已选 {0} 个。'],
  noneChosen: ['None selected: all started channels are shown.', '未选择：显示所有已启动的频道。'],
  hint: ['The address of the page keeps the selection.', '选择保存在页面地址中。'],
  all: ['All', '全部'],
  allFound: ['All found', '全部匹配项'],
  noneFound: ['No channel has this name', '没有此名称的频道']
} as const
