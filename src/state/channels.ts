// The channels with their legs, as several rooms show them.
import { atom } from 'nanostores'
import { SERVERS_MAX } from '../../contract/limits.ts'
import { type Channel, channelDashboard } from '../../contract/stream/channel.ts'
import { liveList } from './live-list.ts'

export const $channels = liveList({
  call: channelDashboard,
  request: atom({ 'output-count': SERVERS_MAX, sort: 'name' as const }),
  pace: 'slow',
  topic: 'channel',
  keyOf: (channel: Channel) => channel.id
})
