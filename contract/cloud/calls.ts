// The calls of the cloud itself, below `/api` of its own origin.
import { DEVICE_ADV_CONTROL, DEVICE_VIEW } from '../access/permissions.ts'
import type { Access, Call } from '../call.ts'
import type { CloudCallName, CloudRequest, CloudResponse } from './calls.schema.ts'

export type { CloudHub, CloudSession, CloudUser } from './calls.schema.ts'

function declareCloudCall<Name extends CloudCallName>(
  name: Name,
  access: Access
): Call<CloudRequest<Name>, CloudResponse<Name>> {
  const [method, path = ''] = name.split(' ')
  return { method: method as Call['method'], path, access }
}

export const login = declareCloudCall('POST /login', 'public')
export const logout = declareCloudCall('POST /logout', 'session')
export const getSession = declareCloudCall('GET /session', 'session')
export const changePassword = declareCloudCall('POST /usr/update', 'session')

export const listUsers = declareCloudCall('GET /user/list', 'admin')
export const addUser = declareCloudCall('POST /user/add', 'admin')
export const deleteUser = declareCloudCall('POST /user/delete', 'admin')

/** Hubs have the permissions that devices have on a hub. */
export const listHubs = declareCloudCall('GET /hub/list', DEVICE_VIEW)
export const acceptHubs = declareCloudCall('POST /hub/accept', DEVICE_ADV_CONTROL)
export const rejectHubs = declareCloudCall('POST /hub/reject', DEVICE_ADV_CONTROL)
export const deleteHubs = declareCloudCall('POST /hub/delete', DEVICE_ADV_CONTROL)

export const getInvitation = declareCloudCall('GET /invitation', DEVICE_ADV_CONTROL)
export const renewInvitation = declareCloudCall('POST /invitation/renew', DEVICE_ADV_CONTROL)

export const listLog = declareCloudCall('GET /log/list', 'admin')
