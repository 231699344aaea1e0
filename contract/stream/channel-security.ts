// Visibility of channels (docs/wire.md, "Visibility").
import { SYSTEM_CONFIG_VIEW } from '../access/permissions.ts'
import type { ObjectSecurity, Visibility } from '../access/visibility.ts'
import { declareCall, type EmptyRequest } from '../call.ts'

/** Result per channel of a call for several channels. */
export interface ChannelResults {
  details: { id: number; result: number }[]
}

/** Takes one id or several. 7 for a mask with a bit that no user or group has: ids are reused, so a later user would gain access. */
export const setChannelSecurity = declareCall<{ id: number | number[]; security: ObjectSecurity }, ChannelResults>(
  'POST',
  '/channel/security/set',
  'admin'
)

/** Defaults for all channels. `security` applies to channels that inherit. */
export interface GlobalChannelSettings {
  security: Visibility
}

export const getGlobalChannel = declareCall<EmptyRequest, GlobalChannelSettings>(
  'GET',
  '/channel/global/get',
  SYSTEM_CONFIG_VIEW
)
export const setGlobalChannel = declareCall<GlobalChannelSettings>('POST', '/channel/global/set', 'admin')
