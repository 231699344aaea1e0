// Device actions: reboot, rename, recording, live streaming (docs/wire.md, "Devices").

import { DEVICE_CONTROL } from '../access/permissions.ts'
import { declareCall } from '../call.ts'

export type { ActionResult, ActionResults, DeviceApi } from './action.schema.ts'

export const rebootDevices = declareCall('POST /device/reboot', DEVICE_CONTROL, { interrupts: true })

export const renameDevice = declareCall('POST /device/rename', DEVICE_CONTROL)

export const startRecording = declareCall('POST /device/record/start', DEVICE_CONTROL)
export const stopRecording = declareCall('POST /device/record/stop', DEVICE_CONTROL)
export const startLive = declareCall('POST /device/live/start', DEVICE_CONTROL)
export const stopLive = declareCall('POST /device/live/stop', DEVICE_CONTROL, { interrupts: true })
