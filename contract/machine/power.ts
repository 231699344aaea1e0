// Restart and shutdown of the machine under the hub, and the reset of all settings (docs/wire.md, "Power and reset").

import { SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from '../access/permissions.ts'
import { declareCall } from '../call.ts'
import type { RequestTo } from '../calls.schema.ts'

export type { Inhibitor, PowerState, ResetReply } from './power.schema.ts'

export const getPower = declareCall('GET /system/power', SYSTEM_CONFIG_VIEW)

export type PowerRequest = RequestTo<'POST /system/reboot'>

export const rebootSystem = declareCall('POST /system/reboot', SYSTEM_CONFIG_EDIT, { interrupts: true })

export const rebootHub = declareCall('POST /reboot', SYSTEM_CONFIG_EDIT, { interrupts: true })

export const shutDownSystem = declareCall('POST /system/shutdown', SYSTEM_CONFIG_EDIT, { interrupts: true })

export type ResetRequest = RequestTo<'POST /system/reset'>

export const resetSettings = declareCall('POST /system/reset', 'admin', { interrupts: true })
