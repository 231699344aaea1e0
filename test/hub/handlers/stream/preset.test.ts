import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { INPUT_OUTPUT_VIEW } from '../../../../contract/access/permissions.ts'
import { INVALID_ARG, NAME_EXISTS, NOT_EXIST, NOT_PERMITTED, SUCCESS, TOO_MANY } from '../../../../contract/codes.ts'
import { addPreset, deletePreset, listPresets, PRESETS_MAX, setPreset } from '../../../../contract/stream/preset.ts'
import { RTMP } from '../../../../contract/stream/protocols.ts'
import { addUser, type Client, startHub, type TestHub } from '../../../kit/hub/hub.ts'

const test = suite('presets of destinations')
let hub: TestHub
let admin: Client
test.before.each(async () => {
  hub = await startHub()
  admin = hub.clientAs()
})
test.after.each(() => hub.close())

const preset = (name: string) => ({ name, protocol: RTMP, config: { url: 'rtmp://192.0.2.9/live' } })

test('a preset is stored without secrets', async () => {
  const config = {
    url: 'rtmp://user:hidden@192.0.2.9/live',
    key: 'hidden',
    username: 'hidden',
    password: 'hidden',
    passphrase: 'hidden',
    'stream-id': 'hidden',
    latency: 250
  }
  const { id } = await admin.send(addPreset, { name: 'Site', protocol: RTMP, config })
  const { list } = await admin.send(listPresets, {})
  assert.deepEqual(list, [{ id, name: 'Site', protocol: RTMP, config: { url: 'rtmp://192.0.2.9/live', latency: 250 } }])
})

test('presets are listed in the natural order of their names', async () => {
  for (const name of ['Site 10', 'site 2', 'Hall']) await admin.send(addPreset, preset(name))
  const { list } = await admin.send(listPresets, {})
  assert.deepEqual(
    list.map(({ name }) => name),
    ['Hall', 'site 2', 'Site 10']
  )
})

test('a preset is changed and deleted; names are unique', async () => {
  const { id } = await admin.send(addPreset, preset('Site'))
  assert.equal((await admin.send(addPreset, preset('site'))).result, NAME_EXISTS)
  assert.equal((await admin.send(setPreset, { id, ...preset('Other') })).result, SUCCESS)
  assert.equal((await admin.send(listPresets, {})).list[0]?.name, 'Other')
  assert.equal((await admin.send(setPreset, { id: 99, ...preset('X') })).result, NOT_EXIST)
  assert.equal((await admin.send(deletePreset, { id })).result, SUCCESS)
  assert.equal((await admin.send(deletePreset, { id })).result, NOT_EXIST)
  assert.equal((await admin.send(listPresets, {})).total, 0)
})

test('there are at most 64 presets', async () => {
  for (let count = 0; count < PRESETS_MAX; count++)
    assert.equal((await admin.send(addPreset, preset(`P ${count}`))).result, SUCCESS)
  const refused = await admin.send(addPreset, preset('One more'))
  assert.deepEqual([refused.result, refused.max], [TOO_MANY, PRESETS_MAX])
})

test('users with permission to view outputs can only list presets, and unknown protocols are refused', async () => {
  const viewer = await addUser(hub, 'vera', INPUT_OUTPUT_VIEW)
  assert.equal((await viewer.send(listPresets, {})).result, SUCCESS)
  assert.equal((await viewer.send(addPreset, preset('Site'))).result, NOT_PERMITTED)
  assert.equal((await admin.send(addPreset, { ...preset('Site'), protocol: 12345 })).result, INVALID_ARG)
})

test.run()
