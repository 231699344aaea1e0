// The picture of a fault that the checks of the content have found.
import { CHANNEL_VIEW } from '../access/permissions.ts'
import { declareCall } from '../call.ts'

export const faultPicture = declareCall('GET /channel/fault-picture', CHANNEL_VIEW)
