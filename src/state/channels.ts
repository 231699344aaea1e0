// The channels with their outputs, as several screens show them.
import { atom } from 'nanostores'
import { CHANNEL_OUTPUTS_MAX } from '../../contract/limits.ts'
import { channelDashboard } from '../../contract/stream/channel.ts'
import { createLiveList } from './live-list.ts'

export const $channels = createLiveList({
  call: channelDashboard,
  request: atom({ 'output-count': CHANNEL_OUTPUTS_MAX, sort: 'name' as const }),
  pace: 'slow',
  topic: 'channel'
})
