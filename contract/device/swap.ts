// Swaps two devices: each gets the place of the other one, such as a spare encoder that of a broken one.
import { DEVICE_ADV_CONTROL } from '../access/permissions.ts'
import { declareCall } from '../call.ts'

export type { SwapLoss } from './swap.schema.ts'

export const swapDevices = declareCall('POST /device/swap', DEVICE_ADV_CONTROL, { interrupts: true })
