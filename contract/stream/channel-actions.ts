// Calls on channels beside those that edit them: switching by an operator, and duplicating (docs/wire.md, "Channels").
import { CHANNEL_CONTROL, CHANNEL_EDIT } from '../access/permissions.ts'
import { declareCall } from '../call.ts'

export type { LeftOut } from './channel-actions.schema.ts'

export const switchChannelInput = declareCall('POST /channel/input/switch', CHANNEL_CONTROL, { interrupts: true })

export const duplicateChannel = declareCall('POST /channel/duplicate', CHANNEL_EDIT)
