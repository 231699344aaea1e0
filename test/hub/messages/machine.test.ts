// Sentences about services of the system.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { READ_ONLY } from '../../../contract/codes.ts'
import { refuseWith } from '../../../hub/handlers/machine/refusal.ts'
import { BusError } from '../../../hub/machine/system-bus.ts'

const test = suite('messages about the machine')

const BUS_ERROR = 'org.freedesktop.DBus.Error'
const messageOf = async (error: Error, language: 'en' | 'zh') => {
  const refusal = await refuseWith(language, Promise.reject(error)).catch((thrown) => thrown)
  assert.equal(refusal.code, READ_ONLY)
  return refusal.fields.message
}

test('a service that the bus cannot start is named, with the command that shows why', async () => {
  const text = 'Launch helper exited with unknown return code 1'
  const error = new BusError(`${BUS_ERROR}.Spawn.ChildExited`, text, 'org.freedesktop.hostname1')
  assert.equal(
    await messageOf(error, 'en'),
    'systemd-hostnamed does not work on the hub.\nSee its log on the hub: journalctl -u systemd-hostnamed'
  )
  assert.equal(
    await messageOf(error, 'zh'),
    '中控上的 systemd-hostnamed 无法工作。\n请在中控上查看其日志：journalctl -u systemd-hostnamed'
  )
})

test('what a service refuses is said in its own words', async () => {
  const error = new BusError(`${BUS_ERROR}.InvalidArgs`, 'Invalid hostname', 'org.freedesktop.hostname1')
  assert.equal(await messageOf(error, 'en'), 'Invalid hostname')
})

test.run()
