import assert from 'node:assert/strict'
import { createOrganisation } from '../../../cloud/auth/first-users.ts'
import { Registrations } from '../../../cloud/links/registrations.ts'
import { openStore } from '../../../cloud/store/store.ts'
import type { HubHello } from '../../../contract/cloud/link.ts'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { REGISTRATION_BURST } from '../../../device-link/registration-limits.ts'
import { hashSecret } from '../../../web-server/credentials.ts'
import { suite } from '../../kit/runner/suite.ts'

const test = suite('rate of registrations with the cloud')

const ADDRESS = '192.0.2.9'
const hello: HubHello = { organisation: 'headend', code: '', sn: 'HUB-1', name: 'Hall', version: '1.0.0', key: 'key' }

test('accepted hubs behind one address connect again at any rate, and others do not', async () => {
  const store = await openStore({ data: ':memory:' })
  try {
    await createOrganisation(store, 'headend', 0)
    const { sn, name, version, key } = hello
    await store.within('headend', (scope) =>
      scope
        .insert('hubs', {
          ...{ sn, name, version, address: ADDRESS, key_hash: hashSecret(key), registered: 0 },
          state: REGISTRATION_STATE.accepted
        })
        .execute()
    )
    const registrations = new Registrations({ store, now: () => 0, monotonic: () => 0 })
    const stranger = { ...hello, sn: 'HUB-2' }
    const foreign = { ...hello, key: 'another key' }
    for (let count = 0; count < REGISTRATION_BURST; count++) {
      assert.deepEqual(await registrations.register(hello, ADDRESS), { state: REGISTRATION_STATE.accepted })
      assert.ok('refuse' in (await registrations.register(count % 2 ? stranger : foreign, ADDRESS)))
    }
    assert.ok('retryAfter' in (await registrations.register(stranger, ADDRESS)))
    assert.ok('retryAfter' in (await registrations.register(foreign, ADDRESS)))
    // Nor does the rate say which organisations there are.
    assert.ok('retryAfter' in (await registrations.register({ ...stranger, organisation: 'none' }, ADDRESS)))
    assert.deepEqual(await registrations.register(hello, ADDRESS), { state: REGISTRATION_STATE.accepted })
  } finally {
    await store.close()
  }
})

test.run()
