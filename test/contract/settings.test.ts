import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { HUB_SETTINGS, type HubSetting } from '../../contract/hub-settings.schema.ts'
import {
  changedSettings,
  engineSettings,
  interruptingSettings,
  mergeSettings,
  type Setting,
  visibleSettings
} from '../../contract/setting.schema.ts'
import { CHANNEL_SETTINGS } from '../../contract/stream/channel-settings.schema.ts'
import { INPUT_SETTINGS } from '../../contract/stream/input-settings.schema.ts'

const test = suite('settings')

const SETTINGS: [string, Setting][] = [...Object.entries(CHANNEL_SETTINGS), ...Object.entries(INPUT_SETTINGS)]
const HUB: [string, HubSetting][] = Object.entries(HUB_SETTINGS)

test('the default of each setting is a value that a response can have', () => {
  for (const [name, row] of SETTINGS.filter(([, each]) => 'default' in each))
    assert.ok(row.schema.safeParse(row.default).success, name)
  // The default of a secret is none, which only responses have.
  for (const [name, { schema, response = schema, default: value, secret }] of HUB) {
    const shown = secret ? { ...(value as object), [secret.member]: undefined } : value
    assert.ok(response.safeParse(shown).success, name)
  }
})

test('a write keeps the settings that it leaves out, and members of an object that may be partial', () => {
  const previous = { slate: true, protocol: { rtmp: true, srt: false }, 'allow-ip': ['10.0.0.1'] }
  assert.deepEqual(mergeSettings(CHANNEL_SETTINGS, previous, { protocol: { rtmp: false }, 'allow-ip': [] }), {
    slate: true,
    protocol: { rtmp: false, srt: false },
    'allow-ip': []
  })
})

test('a caller sees the settings for which the permission suffices', () => {
  const values = { slate: true, 'push-key': 'a' }
  assert.deepEqual(visibleSettings(CHANNEL_SETTINGS, values, 0), { slate: true })
  assert.deepEqual(visibleSettings(CHANNEL_SETTINGS, values, CHANNEL_SETTINGS['push-key'].visibleTo), values)
})

test('the engine gets its settings only, and an import names those that interrupt', () => {
  const values = { slate: true, 'push-key': 'a', health: {} }
  assert.deepEqual(engineSettings(CHANNEL_SETTINGS, 'own', values), { slate: true })
  assert.deepEqual(engineSettings(CHANNEL_SETTINGS, 'access', values), { 'push-key': 'a' })
  const quiet = { calm: { schema: CHANNEL_SETTINGS.slate.schema, engine: 'own' } } as const
  assert.deepEqual(interruptingSettings(quiet, { calm: true, id: 1 }), { id: 1 })
})

test('changed settings are named in the order of the table', () => {
  assert.deepEqual(changedSettings(CHANNEL_SETTINGS, { slate: true }, { slate: false, 'push-key': 'a' }), [
    'push-key',
    'slate'
  ])
})

test.run()
