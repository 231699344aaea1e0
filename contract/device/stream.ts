// Streams of cameras and servers that are not the vendor's, and those that a device at an address serves, as inputs of
// channels. Pictures and the direction of a camera belong to the input that was made of its stream.

import { DEVICE_VIEW, INPUT_OUTPUT_EDIT, INPUT_OUTPUT_VIEW } from '../access/permissions.ts'
import { declareCall } from '../call.ts'
import type { RequestTo } from '../calls.schema.ts'

export type MoveInputRequest = RequestTo<'POST /input/source/move'>

export type { DeviceStream } from './stream.schema.ts'

export const listDeviceStreams = declareCall('GET /device/stream/list', DEVICE_VIEW)

export const addDeviceStream = declareCall('POST /device/stream/add', INPUT_OUTPUT_EDIT)

export const setInputStream = declareCall('POST /input/source/set-stream', INPUT_OUTPUT_EDIT, { interrupts: true })

export const inputPicture = declareCall('GET /input/source/picture', INPUT_OUTPUT_VIEW)

export const moveInput = declareCall('POST /input/source/move', INPUT_OUTPUT_EDIT)
