// Registration of this hub with a cloud (docs/architecture/cloud.md). The calls of the cloud itself are in `cloud/`.
import { SYSTEM_CONFIG_VIEW } from './access/permissions.ts'
import { declareCall } from './call.ts'

export type { CloudFault, CloudRegistration, CloudSettings, CloudSettingsRequest } from './cloud-registration.schema.ts'

export const getCloudRegistration = declareCall('GET /cloud', SYSTEM_CONFIG_VIEW)

export const setCloudRegistration = declareCall('POST /cloud/set', 'admin', { reauthenticate: true })
