// The clock and the name of a machine in manage mode: real chrony daemons without control of the clock, and mocks of
// timedated and hostnamed. The hub runs as a user without rights.
import assert from 'node:assert/strict'
import { INVALID_ARG, READ_ONLY, SUCCESS, WRONG_STATE } from '../../../../contract/codes.ts'
import { setDeviceName } from '../../../../contract/machine/name.ts'
import { getTime, setTime, type TimeStatus } from '../../../../contract/machine/time.ts'
import { systemStatus } from '../../../../contract/system.ts'
import { missingForMachine } from '../../../kit/machine/machine.ts'
import { ManagedMachine } from '../../../kit/machine/managed-machine.ts'
import { MockTimeServices } from '../../../kit/machine/mock-time.ts'
import { suiteRequiring } from '../../../kit/runner/suite.ts'
import { until } from '../../../kit/until.ts'

const test = suiteRequiring('clock and name of the machine', missingForMachine())

let managed: ManagedMachine
let mock: MockTimeServices

test.before(async () => {
  const start = async (machine: ManagedMachine['machine']) => {
    mock = new MockTimeServices(machine)
    await mock.start()
  }
  managed = await ManagedMachine.open('other', start, ['dbus', 'chrony', 'time-server'])
})
test.after(() => managed.close())

const time = () => managed.client.send(getTime, {})

function waitForTime(isReached: (status: TimeStatus) => boolean): Promise<TimeStatus> {
  let status: TimeStatus | undefined
  return until(
    async () => {
      status = await time()
      return isReached(status) ? status : undefined
    },
    () => `the time is ${isReached}: ${JSON.stringify(status)}`
  )
}

const sourceOf = ({ sync }: TimeStatus, name: string) => sync.sources.find((source) => source.name === name)

test('without time servers chrony runs and the clock is not synchronised, which the state says', async () => {
  const { zone, access, sync } = await time()
  assert.equal(zone, 'Etc/Utc')
  assert.deepEqual([access, sync.access], [{ machine: 'manage' }, { machine: 'manage' }])
  assert.deepEqual([sync.state, sync.enabled, sync.servers, sync.sources], ['waiting', true, [], []])
  assert.equal(sync.offset, undefined)
})

test('time servers that users set are used at once: one answers, and one is unreachable', async () => {
  const request = { sync: true, server1: '127.0.0.2', server2: '127.0.0.3' }
  const refusal = await managed.client.send(setTime, { ...request, server2: '127.0.0.2' })
  assert.deepEqual([refusal.result, refusal.field, refusal.fault], [INVALID_ARG, 'server2', 'same'])
  assert.equal((await managed.client.send(setTime, request)).result, SUCCESS)
  const status = await waitForTime(({ sync }) => sync.state === 'synchronised')
  assert.deepEqual(status.sync.servers, ['127.0.0.2', '127.0.0.3'])
  const [used, unused] = [sourceOf(status, '127.0.0.2'), sourceOf(status, '127.0.0.3')]
  assert.deepEqual([used?.state, used?.stratum, used?.['set-here']], ['selected', 5, true])
  assert.ok((used?.['last-answer-s'] ?? 99) < 20)
  assert.ok(Math.abs(status.sync.offset ?? 9) < 0.1)
  assert.deepEqual([unused?.state, unused?.reach, unused?.['last-answer-s']], ['unreachable', 0, undefined])
})

test('a time server that stops answering is not healthy, although chrony stays synchronised for a while', async () => {
  // A request a second, instead of one a minute.
  for (const bound of ['minpoll', 'maxpoll']) await managed.machine.run(['chronyc', bound, '127.0.0.2', '0'])
  // The next request may be a minute away.
  await managed.machine.run(['chronyc', 'burst', '1/2', '127.0.0.2'])
  await waitForTime((status) => (sourceOf(status, '127.0.0.2')?.['last-answer-s'] ?? 99) < 3)
  await managed.machine.run(['bash', '-c', 'kill "$(cat /run/time-server/pid)"'])
  const { sync } = await waitForTime((status) => status.sync.state === 'lost')
  assert.notEqual(sync.offset, undefined)
})

test('the zone and the clock are set through timedated, the clock only while it is not synchronised', async () => {
  const { client } = managed
  assert.equal((await client.send(setTime, { zone: 'Asia/Shanghai' })).result, SUCCESS)
  assert.equal((await time()).zone, 'Asia/Shanghai')
  assert.match(mock.log, /SetTimezone "Asia\/Shanghai" False/)
  const moment = 1_800_000_000_000
  const refusal = await client.send(setTime, { time: moment })
  assert.deepEqual([refusal.result, refusal.field], [WRONG_STATE, 'time'])
  assert.ok(!mock.log.includes('SetTime '))
  assert.equal((await client.send(setTime, { sync: false, server1: '127.0.0.2' })).result, SUCCESS)
  const { sync } = await time()
  assert.deepEqual([sync.state, sync.enabled, sync.servers], ['off', false, ['127.0.0.2']])
  assert.equal((await client.send(setTime, { time: moment })).result, SUCCESS)
  assert.match(mock.log, /SetTime 1800000000000000 False False/)
})

test('chrony that does not run is named, and so is a machine that was not set up for it', async () => {
  await managed.client.send(setTime, { sync: true, server1: '127.0.0.2' })
  await managed.machine.run(['bash', '-c', 'kill "$(cat /run/chrony/chronyd.pid)"'])
  const { sync } = await waitForTime((status) => status.sync.state === 'unknown')
  assert.equal(sync.access['next-step'], 'Start it on the hub: sudo systemctl enable --now chrony')
  await managed.machine.run(['chmod', '0755', '/etc/chrony/headend.d'])
  const { result, message } = await managed.client.send(setTime, { sync: true, server1: '127.0.0.9' })
  assert.equal(result, READ_ONLY)
  assert.match(String(message), /deploy\/chrony/)
  assert.deepEqual((await time()).sync.servers, ['127.0.0.2'])
})

test('the name of the hub becomes the host name; if the system refuses it nothing changes', async () => {
  const { client } = managed
  const names = async () => (await client.send(systemStatus, {})).status.system.info['device-name']
  // The mock does not set it, as a hostnamed in a container.
  const { result, ...response } = await client.send(setDeviceName, { name: 'Studio 1' })
  assert.deepEqual([result, response['ext-need-reboot']], [0, true])
  assert.match(mock.log, /SetStaticHostname "studio-1" False/)
  await mock.answerHostNames(
    'raise dbus.exceptions.DBusException("Interactive authentication required.", name="org.freedesktop.DBus.Error.InteractiveAuthorizationRequired")'
  )
  const refusal = await client.send(setDeviceName, { name: 'Studio 2' })
  assert.deepEqual([refusal.result, refusal.message], [READ_ONLY, 'Interactive authentication required.'])
  assert.equal(await names(), 'Studio 1')
})

test.run()
