// The first sign-in from another machine than that of the hub.
import assert from 'node:assert/strict'
import { changePassword, login } from '../../../contract/access/session.ts'
import { SECOND_FACTOR_REQUIRED, SUCCESS } from '../../../contract/codes.ts'
import { md5 } from './hub.ts'
import { connectHub, type HubConnection } from './hub-process.ts'

/** Signs in with the default password, which needs the setup code, and chooses another one. */
export async function signInFirst(url: string, code: string, password: string): Promise<HubConnection> {
  const admin = connectHub(url)
  const credentials = { id: 'Admin', pass: md5('Admin') }
  assert.equal((await admin.send(login, credentials)).result, SECOND_FACTOR_REQUIRED)
  assert.equal((await admin.send(login, { ...credentials, 'setup-code': code })).result, SUCCESS)
  const changed = await admin.send(changePassword, { 'old-passwd': md5('Admin'), passwd: md5(password) })
  assert.equal(changed.result, SUCCESS)
  return admin
}
