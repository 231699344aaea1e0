// A real hub beside a real cloud on SQLite, both in this process.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getInvitation, listHubs } from '../../../contract/cloud/calls.ts'
import {
  type CloudSettingsRequest,
  getCloudRegistration,
  setCloudRegistration
} from '../../../contract/cloud-registration.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { systemStatus } from '../../../contract/system.ts'
import { type Client, startHub, type TestHub } from '../hub/hub.ts'
import { until } from '../until.ts'
import { type CloudClient, startCloud, type TestCloud } from './cloud.ts'

export const HOST = '127.0.0.1'
export const WRONG = 'headend:AAAA-BBBB-CCCC'

/** An invitation with the same fingerprint and another code. */
export const wrongCodeOf = (invitation: string) => invitation.replace(/:[^:]+/, ':AAAA-BBBB-CCCC')

export interface Fixture {
  cloud: TestCloud
  user: CloudClient
  /** Ports of the cloud for hubs and for browsers. */
  port: number
  webPort: number
  invitation: string
  hub: TestHub
  admin: Client
}

/** @param dist folder of the console of the hub */
export async function withBoth(run: (fixture: Fixture) => Promise<void>, dist?: string): Promise<void> {
  const cloud = await startCloud()
  const hub = await startHub(dist === undefined ? {} : { dist })
  try {
    const { linkPort: port, port: webPort } = await cloud.listen(0, 0)
    const user = await cloud.clientAs()
    const { invitation } = await user.send(getInvitation, {})
    await run({ cloud, user, port, webPort, invitation, hub, admin: hub.clientAs() })
  } finally {
    await hub.close()
    await cloud.close()
  }
}

export async function withFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'headend-cloud-'))
  try {
    await run(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export async function set(admin: Client, request: Partial<CloudSettingsRequest>): Promise<void> {
  const { result } = await admin.send(setCloudRegistration, { enable: true, host: HOST, ...request })
  assert.equal(result, SUCCESS)
}

export const registrationOf = async (admin: Client) => (await admin.send(getCloudRegistration, {})).registration

export const untilState = (admin: Client, state: number) =>
  until(async () => (await registrationOf(admin))?.state === state, `state ${state}`)

export const untilOnline = (admin: Client, isOnline = true) =>
  until(async () => (await registrationOf(admin))?.online === isOnline, `online: ${isOnline}`)

export const onlineStatus = async (admin: Client) => (await admin.send(systemStatus, {})).status.system.cloud

export const listed = async (user: CloudClient) => {
  const { list } = await user.send(listHubs, {})
  return list.map(({ sn, state, online }) => ({ sn, state, online }))
}

/** Waits for the first hub of the organisation. A decision before would not reach a hub that is connecting. */
export const untilListedOnline = (user: CloudClient, isOnline = true) =>
  until(async () => (await listed(user))[0]?.online === isOnline, `in the cloud online: ${isOnline}`)
