// Sentences about services of the system.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import { READ_ONLY } from '../../../contract/codes.ts'
import { refuseWith } from '../../../hub/handlers/machine/refusal.ts'
import { BusError } from '../../../hub/machine/system-bus.ts'
import { obstacleCommand, obstacleText } from '../../../hub/messages/machine.ts'

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

test('with the Debian package, missing rights are repaired by configuring it again', () => {
  const service = { name: 'chrony', package: 'chrony', unit: 'chrony' }
  for (const obstacle of ['refused', 'unprepared'] as const)
    assert.match(obstacleCommand(obstacle, service, true, true) ?? '', /dpkg-reconfigure headend$/)
  assert.equal(obstacleCommand('missing', service, true, true), 'sudo apt-get install -y chrony')
})

test('the command of the next step stands in it, and is one of the installation guide', () => {
  const guide = readFileSync('docs/install.md', 'utf8')
  const root = process.cwd()
  const services = [
    { name: 'chrony', package: 'chrony', unit: 'chrony' },
    { name: 'NetworkManager', package: 'network-manager', unit: 'NetworkManager' }
  ]
  for (const service of services)
    for (const obstacle of ['view', 'refused', 'unprepared'] as const) {
      const command = obstacleCommand(obstacle, service, true) as string
      // The guide restarts units one after the other, and writes settings with an editor.
      const lines = command.split('\n').filter((line) => !/systemctl|\btee\b/.test(line))
      for (const line of lines) assert.ok(guide.includes(line.replaceAll(root, '/opt/headend')), line)
    }
  for (const obstacle of ['view', 'missing', 'stopped', 'failing'] as const) {
    const [service] = services as [(typeof services)[0]]
    for (const language of ['en', 'zh'] as const) {
      const [, nextStep] = obstacleText(language, obstacle, service)
      assert.ok(nextStep.endsWith(String(obstacleCommand(obstacle, service))), nextStep)
    }
  }
  for (const { package: name } of services) assert.match(guide, new RegExp(`apt-get install -y .*\\b${name}\\b`))
})

test('a hub that systemd started is switched in its environment file, another one where it was started', () => {
  const service = { name: 'chrony', package: 'chrony', unit: 'chrony' }
  assert.match(obstacleCommand('view', service, true) ?? '', /tee -a \/etc\/default\/headend && sudo systemctl restart/)
  assert.equal(obstacleCommand('view', service, false), `make -C ${process.cwd()} run MACHINE=manage`)
  assert.match(readFileSync('deploy/systemd/headend.service', 'utf8'), /EnvironmentFile=-\/etc\/default\/headend/)
})

test.run()
