import type { Translation } from '../../text/language.ts'

export const CHANNELS: Translation = ['Channels', '频道']

export const NONE = {
  title: ['No channels', '暂无频道'],
  text: ['Channels of accepted hubs are listed here.', '此处列出已接受中控的频道。']
} as const satisfies Record<string, Translation>

/** Value of the filter by state for channels of which only the last known state can be shown. */
export const LAST_KNOWN = 'last-known'
