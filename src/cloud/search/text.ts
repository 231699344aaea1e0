import type { Translation } from '../../text/language.ts'

export const SEARCH: Translation = ['Search all hubs', '搜索所有中控']

export const TEXT = {
  devices: ['Devices', '设备'],
  none: ['Nothing found', '未找到'],
  start: [
    'Search for names and serial numbers of hubs, channels and devices.',
    '可搜索中控、频道和设备的名称及序列号。'
  ],
  unanswered: [
    'Devices of these hubs were not searched, because they have not answered: {0}',
    '以下中控未应答，其设备未被搜索：{0}'
  ]
} as const satisfies Record<string, Translation>
