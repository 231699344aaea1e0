export const TEXT = {
  channels: ['Channels', '频道'],
  inputs: ['Inputs', '输入'],
  outputs: ['Outputs', '输出'],
  devices: ['Devices', '设备'],
  groups: ['Device groups', '设备组'],
  users: ['Users', '用户'],
  userGroups: ['User groups', '用户组'],
  presets: ['Presets', '预设'],
  all: ['All', '全部'],
  count: ['{0} results', '{0} 个结果'],
  none: ['Nothing found', '未找到'],
  noneText: [
    'Search for names of channels, inputs, outputs, devices, groups, users and presets, and for serial numbers.',
    '可搜索频道、输入、输出、设备、组、用户和预设的名称，以及序列号。'
  ]
} as const
