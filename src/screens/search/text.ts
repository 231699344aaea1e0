export const TEXT = {
  devices: ['Devices', '设备'],
  all: ['All', '全部'],
  presets: ['Presets', '预设'],
  none: ['Nothing found', '未找到']
} as const
