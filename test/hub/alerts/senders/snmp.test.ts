// Tests of SNMP notifications with snmptrapd and snmptranslate of Net-SNMP.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { suite } from 'uvu'
import { DESTINATION_KINDS } from '../../../../contract/alert/destination-kinds.schema.ts'
import type { SnmpConfig } from '../../../../contract/alert/snmp.ts'
import { createSnmpSender, EngineClock, engineIdOf, HEADEND_OID } from '../../../../hub/alerts/senders/snmp.ts'
import { PROBLEM, RECOVERED, sendError, unaborted } from '../../../kit/hub/alerts/message.ts'
import { startTrapReceiver, translateOid } from '../../../kit/hub/alerts/trap-receiver.ts'
import { startHub } from '../../../kit/hub/hub.ts'
import { LIMIT } from '../../../kit/until.ts'

const test = suite('SNMP')

const AUTH = 'authHush1'
const PRIVACY = 'privHush1'
const snmpSender = createSnmpSender()

const community = (port: number, more: Partial<SnmpConfig> = {}): SnmpConfig => ({
  ...{ host: '127.0.0.1', port, version: '2c', community: 'studio' },
  ...more
})

const user = (port: number, more: Partial<SnmpConfig> = {}): SnmpConfig => ({
  ...{ host: '127.0.0.1', port, version: '3', user: 'hub', 'auth-password': AUTH, 'privacy-password': PRIVACY },
  ...more
})

const ENGINE = `0x${engineIdOf(PROBLEM.hub.sn).toString('hex')}`
const createUser = (engine: string, auth = 'SHA-256') => `createUser ${engine} hub ${auth} ${AUTH} AES ${PRIVACY}`

test('a receiver shows the objects of a trap by their names in the MIB', async () => {
  const receiver = await startTrapReceiver(['authCommunity log studio'])
  const answer = await snmpSender.send(PROBLEM, community(receiver.port), unaborted())
  assert.equal(answer, `Sent to 127.0.0.1, port ${receiver.port}, without a confirmation`)
  await snmpSender.send(RECOVERED, community(receiver.port), unaborted())
  const [problem, recovered] = await receiver.whenReceived(2)
  const { sysUpTime: _, ...objects } = problem ?? {}
  assert.deepEqual(objects, {
    snmpTrapOID: 'HEADEND-MIB::headendProblem',
    headendMessageId: PROBLEM.id,
    headendAlarmId: '41',
    headendSeverity: 'critical(2)',
    headendCause: 'device-offline',
    headendTitle: 'Switch “North” <offline> & 2 channels Bcc: everybody@evil.test',
    headendText: PROBLEM.text,
    headendSince: '2026-11-23,3:0:0.0,+0:0',
    headendConcernCount: '2',
    headendHubName: 'Studio, "A"',
    headendHubSerialNumber: 'HE-0001'
  })
  assert.equal(recovered?.snmpTrapOID, 'HEADEND-MIB::headendRecovered')
  assert.equal(recovered?.headendEnded, '2026-11-23,3:1:30.0,+0:0')
  await receiver.close()
})

test('a trap of version 3 is authenticated and encrypted, and a copy of an older trap is not accepted', async () => {
  const receiver = await startTrapReceiver([createUser(`-e ${ENGINE}`), 'authUser log hub priv'])
  const now = Date.now()
  const startedAt = (time: number, uptime: number) =>
    createSnmpSender({ read: () => new EngineClock().read(time, uptime) })
  const send = (sender: typeof snmpSender, id: string) =>
    sender.send({ ...PROBLEM, id }, user(receiver.port), unaborted())
  const answer = await send(startedAt(now, 5000), 'first')
  assert.match(answer, new RegExp(`engine ID ${ENGINE}$`))
  await receiver.whenReceived(1)
  await send(startedAt(now, 1000), 'after a restart')
  await receiver.whenReceived(2)
  // Somebody sends an old message again.
  await send(startedAt(now, 5000), 'first')
  await send(startedAt(now + 200_000, 1200), 'later')
  assert.deepEqual(
    (await receiver.whenReceived(3)).map(({ headendMessageId }) => headendMessageId),
    ['first', 'after a restart', 'later']
  )
  await receiver.close()
})

test('the time of the engine never decreases, whatever happens to the clock', () => {
  const now = Date.UTC(2026, 10, 23)
  const clock = new EngineClock()
  const first = clock.read(now, 10)
  assert.deepEqual(clock.read(now + 200_000, 210), { boots: first.boots, seconds: 210 })
  assert.deepEqual(clock.read(now - 86_400_000, 220), { boots: first.boots, seconds: 220 }, 'the clock was set back')
  const second = new EngineClock().read(now + 300_000, 5)
  assert.ok(second.boots > first.boots, 'the hub was started again')
  assert.ok(new EngineClock().read(0, 5).boots > 0, 'the clock is not set yet')
  assert.ok(new EngineClock().read(Date.UTC(2200, 0, 1), 0).boots < 2 ** 31)
})

test('an inform is confirmed by its receiver, in version 2c and in version 3', async () => {
  const receiver = await startTrapReceiver([
    'authCommunity log studio',
    createUser('', 'SHA-512'),
    'authUser log hub priv'
  ])
  const inform = { notification: 'inform', auth: 'sha512' } as const
  for (const config of [community(receiver.port, inform), user(receiver.port, inform)]) {
    const answer = await snmpSender.send(PROBLEM, config, unaborted())
    assert.equal(answer, `Confirmed by 127.0.0.1, port ${receiver.port}`)
  }
  assert.equal((await receiver.whenReceived(2)).length, 2)
  const wrong = user(receiver.port, { ...inform, 'auth-password': 'wrongHush' })
  const error = await sendError(snmpSender.send(PROBLEM, wrong, unaborted()))
  assert.ok(error.isFinal)
  assert.doesNotMatch(`${error.text} ${error.stack}`, /wrongHush/)
  await receiver.close()
})

test('an inform that nobody confirms is tried again later, and ends when it is aborted', async () => {
  const silent = createSocket('udp4').bind(0, '127.0.0.1')
  await once(silent, 'listening')
  const config = community(silent.address().port, { notification: 'inform' })
  const controller = new AbortController()
  const attempt = sendError(snmpSender.send(PROBLEM, config, controller.signal))
  await once(silent, 'message', { signal: AbortSignal.timeout(LIMIT) })
  controller.abort()
  const error = await attempt
  assert.deepEqual([error.isFinal, error.text[0]], [false, 'The server does not answer.'])
  silent.close()
})

test('long texts are cut between two characters, at the lengths of the MIB', async () => {
  const receiver = await startTrapReceiver(['authCommunity log studio'])
  const text = `x${'体'.repeat(1000)}`
  await snmpSender.send({ ...PROBLEM, title: text, text }, community(receiver.port), unaborted())
  const [notification] = await receiver.whenReceived(1)
  assert.deepEqual(
    [notification?.headendTitle, notification?.headendText],
    [`x${'体'.repeat(84)}`, `x${'体'.repeat(341)}`]
  )
  await receiver.close()
})

test('the hub serves the MIB, and Net-SNMP reads it without a complaint', async () => {
  const hub = await startHub()
  const response = await hub.clientAs().raw('GET', '/api/alert/snmp/mib')
  const mib = await response.text()
  assert.match(response.headers.get('content-disposition') ?? '', /filename="HEADEND-MIB.txt"/)
  assert.match(mib, /^HEADEND-MIB DEFINITIONS ::= BEGIN/)
  await hub.close()
  const { output: oid, complaints } = translateOid('-On', 'HEADEND-MIB::headendProblem')
  assert.deepEqual([oid, complaints], [`.${HEADEND_OID}.0.1`, []])
  const { output: tree } = translateOid('-Tp', HEADEND_OID)
  assert.deepEqual(tree.match(/headend(Problem|Reminder|Recovered|Test)\(\d\)/g), [
    ...['headendProblem(1)', 'headendReminder(2)', 'headendRecovered(3)', 'headendTest(4)']
  ])
  assert.equal(tree.match(/---N/g)?.length, 11, 'objects of notifications')
})

test('a destination has what its version needs, and an address that the policy allows', async () => {
  const { config } = DESTINATION_KINDS.snmp
  assert.ok(config.safeParse(community(162)).success)
  assert.ok(config.safeParse(user(162)).success)
  assert.equal(config.safeParse(community(162, { community: undefined })).success, false)
  assert.equal(config.safeParse(user(162, { 'privacy-password': undefined })).success, false)
  assert.equal(config.safeParse(user(162, { 'auth-password': 'short' })).success, false)
  assert.equal(config.safeParse(community(162, { host: '169.254.169.254' })).success, false)
  const error = await sendError(snmpSender.send(PROBLEM, community(162, { host: '169.254.169.254' }), unaborted()))
  assert.ok(error.isFinal)
})

test.run()
