// Tests of MQTT with mosquitto, and of the topics that Home Assistant reads.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { suite } from 'uvu'
import { DESTINATION_KINDS } from '../../../../contract/alert/destination-kinds.schema.ts'
import type { MqttConfig } from '../../../../contract/alert/mqtt.ts'
import { MqttSender } from '../../../../hub/alerts/senders/mqtt.ts'
import { startBroker, watchBroker } from '../../../kit/hub/alerts/broker.ts'
import { PROBLEM, RECOVERED, sendError, unaborted } from '../../../kit/hub/alerts/message.ts'
import { startCuttableProxy } from '../../../kit/net/cuttable-proxy.ts'
import { makePair } from '../../../kit/tls/certificates.ts'
import { until } from '../../../kit/until.ts'

const test = suite('MQTT')

const PASSWORD = 'zSecretHush'
const BASE = 'headend/HE-0001'

const plain = (port: number, more: Partial<MqttConfig> = {}): MqttConfig => ({
  ...{ host: '127.0.0.1', port, security: 'none' },
  ...more
})

test('each object has its state on a topic, which a new subscriber gets, and Home Assistant finds it', async () => {
  const broker = await startBroker()
  const sender = new MqttSender()
  await sender.send(PROBLEM, plain(broker.port), unaborted())
  const watcher = await watchBroker(broker.port)
  await until(() => watcher.newest.size >= 5, 'the retained topics arrive')
  const { newest } = watcher
  const state = JSON.parse(newest.get(`${BASE}/problem/channel-1`) ?? '')
  assert.deepEqual(
    [state.state, state.name, state.severity, state.cause, state.since],
    ['problem', '体育', 'bad', 'device-offline', '2026-11-23T03:00:00.000Z']
  )
  assert.equal(newest.get(`${BASE}/availability`), 'online')
  const sensor = JSON.parse(newest.get('homeassistant/binary_sensor/headend_HE-0001_channel-1/config') ?? '')
  assert.deepEqual(
    [sensor.device_class, sensor.state_topic, sensor.availability_topic, sensor.payload_on],
    ['problem', `${BASE}/problem/channel-1`, `${BASE}/availability`, state.state]
  )
  assert.equal(newest.has(`${BASE}/alarm`), false, 'an event is not held')
  await sender.send(RECOVERED, plain(broker.port), unaborted())
  await until(() => newest.has(`${BASE}/alarm`), 'the event arrives')
  const recovered = JSON.parse(newest.get(`${BASE}/problem/channel-2`) ?? '')
  assert.deepEqual([recovered.state, recovered.ended], [sensor.payload_off, '2026-11-23T03:01:30.000Z'])
  assert.equal(JSON.parse(newest.get(`${BASE}/alarm`) ?? '').id, RECOVERED.id)
  await watcher.close()
  await sender.close()
  await broker.close()
})

test('an object that a later message does not name has no problem, also after a restart of the hub', async () => {
  const broker = await startBroker()
  const first = new MqttSender()
  await first.send(PROBLEM, plain(broker.port), unaborted())
  await first.close()
  const second = new MqttSender()
  const rest = { ...PROBLEM, concerns: PROBLEM.concerns.slice(1), concernCount: 1 }
  await second.send(rest, plain(broker.port), unaborted())
  const watcher = await watchBroker(broker.port)
  const stateOf = (id: string) => JSON.parse(watcher.newest.get(`${BASE}/problem/${id}`) ?? '{}').state
  await until(() => stateOf('channel-1') && stateOf('channel-2'), 'the states arrive')
  assert.deepEqual([stateOf('channel-1'), stateOf('channel-2')], ['ok', 'problem'])
  // A message of another program below the topics of the hub is ignored.
  await watcher.publish(`${BASE}/problem/channel-9`, 'x')
  await second.send({ ...RECOVERED, concerns: [], concernCount: 1 }, plain(broker.port), unaborted())
  await until(() => stateOf('channel-2') === 'ok', 'the recovery ends the problem that it does not name')
  await watcher.close()
  await second.close()
  await broker.close()
})

test('the hub is offline on the broker when it ends, and when its connection is cut', async () => {
  const broker = await startBroker()
  const watcher = await watchBroker(broker.port)
  const isState = (state: string) => () => watcher.newest.get(`${BASE}/availability`) === state
  const sender = new MqttSender()
  await sender.send({ ...PROBLEM, state: 'test' }, plain(broker.port), unaborted())
  await until(isState('online'), 'the hub is available')
  assert.equal(watcher.newest.has(`${BASE}/problem/channel-1`), false, 'a test changes no state')
  await sender.close()
  await until(isState('offline'), 'the hub is not available')
  const proxy = await startCuttableProxy(broker.port)
  const other = new MqttSender()
  await other.send(PROBLEM, plain(proxy.port), unaborted())
  await until(isState('online'), 'the hub is available again')
  proxy.cut()
  await until(isState('offline'), 'the broker publishes the last will')
  await other.close()
  await proxy.close()
  await watcher.close()
  await broker.close()
})

test('after a restart of the broker the next message arrives', async () => {
  const broker = await startBroker()
  const sender = new MqttSender()
  await sender.send(PROBLEM, plain(broker.port), unaborted())
  await broker.stop()
  const error = await sendError(sender.send(PROBLEM, plain(broker.port), unaborted()))
  assert.equal(error.isFinal, false)
  await broker.start()
  await sender.send(PROBLEM, plain(broker.port), unaborted())
  const watcher = await watchBroker(broker.port)
  await until(() => watcher.newest.has(`${BASE}/problem/channel-1`), 'the state is held again')
  await watcher.close()
  await sender.close()
  await broker.close()
})

test('a refused login is a final error without the password; over TLS the certificate is checked before', async () => {
  const authority = makePair({ name: 'Studio CA', isAuthority: true })
  const tls = makePair({ name: 'mqtt.test', names: 'IP:127.0.0.1', issuer: authority })
  const broker = await startBroker({ login: ['hub', PASSWORD], tls })
  const sender = new MqttSender()
  const config: MqttConfig = {
    ...{ host: '127.0.0.1', port: broker.port, user: 'hub', password: PASSWORD },
    ...{ 'certificate-check': 'own-ca', 'trusted-certificates': authority.cert }
  }
  assert.match(await sender.send(PROBLEM, config, unaborted()), /^Published 3 messages below headend\/HE-0001\//)
  const refused = await sendError(sender.send(PROBLEM, { ...config, password: 'wrongHush' }, unaborted()))
  assert.ok(refused.isFinal)
  assert.match(refused.text[0], /^The broker answered: .*(not authori[sz]ed|bad user)/i)
  assert.doesNotMatch(`${refused.text} ${refused.stack}`, /wrongHush/)
  const unknown = await sendError(sender.send(PROBLEM, { ...config, 'certificate-check': 'verify' }, unaborted()))
  assert.match(unknown.text[0], /certificate/)
  assert.equal(unknown.isFinal, false)
  await sender.close()
  await broker.close()
})

test('an attempt ends when it is aborted, and leaves no connection', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const open: Socket[] = []
  silent.on('connection', (socket) => open.push(socket))
  const controller = new AbortController()
  const sender = new MqttSender()
  const attempt = sendError(sender.send(PROBLEM, plain((silent.address() as AddressInfo).port), controller.signal))
  await until(() => open.length === 1, 'the hub has connected')
  controller.abort()
  const error = await attempt
  assert.deepEqual([error.text[0], error.isFinal], ['The server does not answer.', false])
  await until(() => open[0]?.resume().destroyed, 'the connection is closed')
  assert.equal(open.length, 1)
  silent.close()
  await sender.close()
})

test('the hub publishes that it is offline, and disconnects, when no destination has the configuration', async () => {
  const broker = await startBroker()
  const sender = new MqttSender()
  const config = plain(broker.port)
  await sender.send(PROBLEM, config, unaborted())
  const watcher = await watchBroker(broker.port)
  const availability = () => watcher.newest.get(`${BASE}/availability`)
  sender.keepOnly([config])
  await sender.send(PROBLEM, config, unaborted())
  await until(() => availability() === 'online', 'the state is held')
  sender.keepOnly([])
  await until(() => availability() === 'offline', 'the hub is offline on the broker')
  await watcher.close()
  await sender.close()
  await broker.close()
})

test('topics have no wildcards, and addresses that the policy forbids are refused', async () => {
  const { config } = DESTINATION_KINDS.mqtt
  assert.ok(config.safeParse(plain(1883, { topic: 'house/headend', discovery: '' })).success)
  for (const topic of ['a/#', '+/a', '$SYS', '/a', 'a/', 'a b', ''])
    assert.equal(config.safeParse(plain(1883, { topic })).success, false, topic)
  const forbidden = plain(1883, { host: '169.254.169.254' })
  assert.equal(config.safeParse(forbidden).success, false)
  assert.ok((await sendError(new MqttSender().send(PROBLEM, forbidden, unaborted()))).isFinal)
})

test.run()
