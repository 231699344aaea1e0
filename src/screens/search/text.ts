export const TEXT = {
  hint: ['Type a name or serial number into the search at the top.', '在顶部搜索框中输入名称或序列号。'],
  none: ['Nothing is called like that', '没有找到匹配项'],
  devices: ['Devices', '设备'],
  all: ['All {0} in the list', '在列表中查看全部 {0} 台']
} as const
