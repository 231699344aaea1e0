// What `settings/get` returns, `settings/set` takes.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { INVALID_ARG, SUCCESS } from '../../../../contract/codes.ts'
import { getSettings, type SettingsRequest, setSettings } from '../../../../contract/settings.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'

const test = suite('settings as they are returned')
hubForEach(test)

/** Parts that other calls set, or that contain states besides settings. */
const OTHER_PARTS: readonly string[] = ['name', 'web']

test('each part can be sent back as it was returned, and nothing changes', async () => {
  const { settings } = await admin.send(getSettings, {})
  const parts = Object.entries(settings).filter(([part]) => !OTHER_PARTS.includes(part))
  assert.ok(parts.length > 8, `${parts.length} parts`)
  for (const [part, value] of parts) {
    const { result, field } = await admin.send(setSettings, { [part]: value } as SettingsRequest)
    assert.deepEqual([result, field], [SUCCESS, undefined], part)
  }
  assert.deepEqual((await admin.send(getSettings, {})).settings, settings)
})

test('the invitation code is switched off with the part as it is returned', async () => {
  await admin.send(setSettings, { security: { 'enable-code': true, 'code-value': '0165' } })
  assert.equal(
    (await admin.send(setSettings, { security: { 'enable-code': false, 'code-value': '' } })).result,
    SUCCESS
  )
  assert.deepEqual(hub.parts.store.settings.get('security'), { 'enable-code': false, 'code-value': '' })
  for (const code of ['', '016', undefined]) {
    const security = { 'enable-code': true, ...(code !== undefined && { 'code-value': code }) }
    assert.equal((await admin.send(setSettings, { security })).result, INVALID_ARG, code)
  }
})

test.run()
