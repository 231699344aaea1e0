export const TEXT = {
  family: ['Family', '产品系列'],
  group: ['Group', '分组'],
  noGroup: ['No group', '未分组'],
  dirInput: ['Input', '输入'],
  dirOutput: ['Output', '输出'],
  dirNone: ['Management only', '仅管理'],
  warning: ['Warnings', '告警'],
  state: ['State', '状态'],
  direction: ['Direction', '方向'],
  online: ['Online', '在线'],
  offline: ['Offline', '离线'],
  search: ['Search name or serial', '搜索名称或序列号'],
  devices: ['Devices', '设备'],
  every: ['{0}: all', '{0}：全部'],
  none: ['No devices', '暂无设备'],
  join: [
    'Enter this hub’s address and port {0} on the device, then accept it here.',
    '在设备中填写本中控的地址和端口 {0}，然后在此接受该设备。'
  ],
  pending: ['Pending approval', '待审批'],
  noneFavorite: ['Add devices from the menu of a device.', '可通过设备的菜单加入收藏。'],
  noneGroup: ['Drag devices onto the group in the menu.', '将设备拖到菜单中的该分组上。'],
  gone: ['This group no longer exists', '该分组已不存在'],
  noneFound: ['Nothing found', '未找到'],
  forFirmware: [
    'Devices for firmware {0}. Select them, then choose Update firmware.',
    '适用于固件 {0} 的设备。请选择设备，然后点“更新固件”。'
  ],
  hasUpdate: [
    'The hub has newer firmware for these devices. Select them, then choose Update firmware.',
    '中控有适用于这些设备的新固件。请选择设备，然后点“更新固件”。'
  ],
  firmware: ['Device firmware', '设备固件'],
  lists: ['List', '列表'],
  rejected: ['Rejected', '已拒绝'],
  favorites: ['Favorites', '收藏'],
  updates: ['Firmware update', '固件可更新'],
  clearSearch: ['Clear filter', '清除筛选']
} as const
