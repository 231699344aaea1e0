// Channels (docs/wire.md, "Channels").

import { CHANNEL_CONTROL, CHANNEL_EDIT, CHANNEL_VIEW } from '../access/permissions.ts'
import { declareCall } from '../call.ts'
import type { RequestTo } from '../calls.schema.ts'
import type { ChannelSettings } from './channel-settings.schema.ts'

export type {
  Channel,
  ChannelClient,
  ChannelConfig,
  ChannelDashboard,
  ChannelLevel
} from './channel.schema.ts'

/** Failover rule. */
export type SwitchRule = ChannelSettings['switch']

export const channelDashboard = declareCall('GET /channel/dashboard', CHANNEL_VIEW)
export const queryChannel = declareCall('GET /channel/query', CHANNEL_VIEW)

export const channelLevels = declareCall('GET /channel/levels', CHANNEL_VIEW)

export type AddChannelRequest = RequestTo<'POST /channel/add'>

export const addChannel = declareCall('POST /channel/add', CHANNEL_EDIT)
export const setChannel = declareCall('POST /channel/set', CHANNEL_EDIT, { interrupts: true })

export const enableChannel = declareCall('POST /channel/enable', CHANNEL_CONTROL, { interrupts: true })

export const dropChannelClients = declareCall('POST /channel/client/drop', CHANNEL_CONTROL, { interrupts: true })
export const deleteChannels = declareCall('POST /channel/del', CHANNEL_EDIT, { interrupts: true })

export const setChannelInput = declareCall('POST /channel/input/set', CHANNEL_EDIT, { interrupts: true })
export const replaceInput = declareCall('POST /channel/input/replace', CHANNEL_EDIT, { interrupts: true })

export const addChannelOutputs = declareCall('POST /channel/output/add', CHANNEL_EDIT)
export const deleteChannelOutputs = declareCall('POST /channel/output/del', CHANNEL_EDIT, { interrupts: true })

export const enableChannelOutputs = declareCall('POST /channel/output/enable', CHANNEL_CONTROL, { interrupts: true })
