import type { Translation } from '../../text/language.ts'

export const CHANNELS: Translation = ['Channels', '频道']

export const NONE = {
  title: ['No channels', '暂无频道'],
  text: ['Channels of accepted hubs are listed here.', '此处列出已接受中控的频道。']
} as const satisfies Record<string, Translation>
