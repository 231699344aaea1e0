// Visibility of channels (docs/wire.md, "Visibility").
import { SYSTEM_CONFIG_VIEW } from '../access/permissions.ts'
import { declareCall } from '../call.ts'

export type { ChannelResults, GlobalChannelSettings } from './channel-security.schema.ts'

export const setChannelSecurity = declareCall('POST /channel/security/set', 'admin')

export const getGlobalChannel = declareCall('GET /channel/global/get', SYSTEM_CONFIG_VIEW)
export const setGlobalChannel = declareCall('POST /channel/global/set', 'admin')
