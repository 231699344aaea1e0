// The calls of the cloud itself, below `/api` of its own origin. What a hub has, too, is the call of a hub: with the
// same path, fields, codes and permission, so that screens and programs for hubs work with the cloud.
import {
  CHANNEL_VIEW,
  DEVICE_ADV_CONTROL,
  DEVICE_CONTROL,
  DEVICE_VIEW,
  SYSTEM_CONFIG_VIEW
} from '../access/permissions.ts'
import { setProfile } from '../access/profile.ts'
import {
  disableSecondFactor,
  enableSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
  startSecondFactor
} from '../access/second-factor.ts'
import { changePassword, checkPassword, logout, logoutByGet, reauthenticate } from '../access/session.ts'
import { addToken, deleteTokens, listTokens } from '../access/token.ts'
import {
  addGroup,
  addUser,
  deleteGroup,
  deleteUsers,
  endSessions,
  listSessions,
  listUsers,
  moveUsers,
  setGroup,
  setUser
} from '../access/user.ts'
import type { Access, Call } from '../call.ts'
import { addCatalog, deleteCatalog, listCatalogs, renameCatalog, setCatalog } from '../catalog.ts'
import { getRevisions } from '../change-feed.ts'
import { getGlobalDevice, setDeviceSecurity, setFavorite } from '../device/device.ts'
import { listLog } from '../log.ts'
import { getSettings, setSettings } from '../settings.ts'
import type { CloudCallName, CloudRequest, CloudResponse } from './calls.schema.ts'

export type { CloudChannel, CloudDevice, CloudProblem, HubSummary } from './all-hubs.schema.ts'
export type { CloudHub, CloudSession, CloudUser } from './calls.schema.ts'

function declareCloudCall<Name extends CloudCallName>(
  name: Name,
  access: Access,
  options: Pick<Call, 'reauthenticate'> = {}
): Call<CloudRequest<Name>, CloudResponse<Name>> {
  const [method, path = ''] = name.split(' ')
  return { method: method as Call['method'], path, access, ...options }
}

/** With the organisation, which a hub does not have. */
export const login = declareCloudCall('POST /login', 'public')
export const getSession = declareCloudCall('GET /session', 'session')

/** Hubs have the permissions that devices have on a hub. */
export const listHubs = declareCloudCall('GET /hub/list', DEVICE_VIEW)
export const openHub = declareCloudCall('POST /hub/open', DEVICE_VIEW)
export const acceptHubs = declareCloudCall('POST /hub/accept', DEVICE_ADV_CONTROL)
export const rejectHubs = declareCloudCall('POST /hub/reject', DEVICE_ADV_CONTROL)
export const deleteHubs = declareCloudCall('POST /hub/delete', DEVICE_ADV_CONTROL)

export const renameHub = declareCloudCall('POST /hub/name/set', DEVICE_CONTROL)

export const getInvitation = declareCloudCall('GET /invitation', DEVICE_ADV_CONTROL)
export const renewInvitation = declareCloudCall('POST /invitation/renew', DEVICE_ADV_CONTROL)

/** From the digests of hubs. Each kind of problem needs the permission that it needs on a hub, too. */
export const listCloudProblems = declareCloudCall('GET /problem/list', DEVICE_VIEW)
export const listCloudChannels = declareCloudCall('GET /channel/list', CHANNEL_VIEW)

/** Like the hub's own upgrade, which they start: for the Admin group, with the password proved. */
export const checkRollout = declareCloudCall('GET /hub/rollout/check', 'admin')
export const startRollout = declareCloudCall('POST /hub/rollout/start', 'admin', { reauthenticate: true })
export const resumeRollout = declareCloudCall('POST /hub/rollout/resume', 'admin', { reauthenticate: true })
export const pauseRollout = declareCloudCall('POST /hub/rollout/pause', 'admin')
export const cancelRollout = declareCloudCall('POST /hub/rollout/cancel', 'admin')
export const deleteRollout = declareCloudCall('POST /hub/rollout/del', 'admin')

export const listRollouts = declareCloudCall('GET /hub/rollout/list', SYSTEM_CONFIG_VIEW)
export const queryRollout = declareCloudCall('GET /hub/rollout/query', SYSTEM_CONFIG_VIEW)
export const listRolloutHubs = declareCloudCall('GET /hub/rollout/hubs', SYSTEM_CONFIG_VIEW)

export const searchHubs = declareCloudCall('GET /search', DEVICE_VIEW)

/** The calls of a hub that the cloud answers. */
const CALLS_OF_HUB = [
  logout,
  logoutByGet,
  reauthenticate,
  checkPassword,
  changePassword,
  setProfile,
  listUsers,
  addUser,
  setUser,
  deleteUsers,
  moveUsers,
  addGroup,
  setGroup,
  deleteGroup,
  listSessions,
  endSessions,
  startSecondFactor,
  enableSecondFactor,
  renewRecoveryCodes,
  disableSecondFactor,
  resetSecondFactor,
  listTokens,
  addToken,
  deleteTokens,
  getSettings,
  setSettings,
  listLog,
  listCatalogs,
  addCatalog,
  renameCatalog,
  deleteCatalog,
  setCatalog,
  getGlobalDevice,
  setDeviceSecurity,
  setFavorite,
  getRevisions
] as const

/** Every call of the cloud. */
export const CLOUD_CALLS = [
  login,
  getSession,
  ...CALLS_OF_HUB,
  listHubs,
  listCloudProblems,
  listCloudChannels,
  searchHubs,
  openHub,
  acceptHubs,
  rejectHubs,
  deleteHubs,
  renameHub,
  checkRollout,
  startRollout,
  listRollouts,
  queryRollout,
  listRolloutHubs,
  pauseRollout,
  resumeRollout,
  cancelRollout,
  deleteRollout,
  getInvitation,
  renewInvitation
] as readonly Call[]

/**
 * Header of answers while the database of the cloud does not answer: of which time the answer is, in milliseconds since
 * the epoch. Changes are refused meanwhile (15).
 */
export const STALE_HEADER = 'headend-stale'
