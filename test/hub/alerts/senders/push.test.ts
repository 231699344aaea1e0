// Tests of messages to browsers, with a push service that decrypts them.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addDestination } from '../../../../contract/alert/destination.ts'
import { DESTINATION_KINDS } from '../../../../contract/alert/destination-kinds.schema.ts'
import {
  listPushBrowsers,
  PUSH_BROWSERS_MAX,
  type PushSubscription,
  subscribeBrowser,
  unsubscribeBrowser
} from '../../../../contract/alert/push.ts'
import { INVALID_ARG, NOT_EXIST, SUCCESS, TOO_MANY } from '../../../../contract/codes.ts'
import { PushSender } from '../../../../hub/alerts/senders/push.ts'
import { PROBLEM, RECOVERED, sendError, unaborted } from '../../../kit/hub/alerts/message.ts'
import { PUSH_HOST, startPushService } from '../../../kit/hub/alerts/push-service.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { makePair, type Pair } from '../../../kit/tls/certificates.ts'

const test = suite('browser push')
hubForEach(test)

const CONFIG = { contact: 'duty@studio.test' }

let authority: Pair
let service: Awaited<ReturnType<typeof startPushService>>

test.before(() => {
  authority = makePair({ name: 'Push CA', isAuthority: true })
})
test.before.each(async () => {
  service = await startPushService(authority)
  assert.equal((await admin.send(listPushBrowsers, {})).key, undefined)
  await admin.send(addDestination, { name: 'Browsers', type: 'push', config: CONFIG })
})
test.after.each(async () => void (await service.close()))

/** Sends as the hub does, but finds the push service on this machine. */
const sender = () =>
  new PushSender({ store: hub.parts.store, resolve: () => Promise.resolve('127.0.0.1'), ca: authority.cert })

async function subscribe(): Promise<PushSubscription> {
  const { key = '' } = await admin.send(listPushBrowsers, {})
  const subscription = service.subscribe(key)
  assert.equal((await admin.send(subscribeBrowser, subscription)).result, SUCCESS)
  return subscription
}

test('a subscribed browser can decrypt a message, and its service knows who has sent it', async () => {
  await subscribe()
  const answer = await sender().send(PROBLEM, CONFIG, unaborted())
  assert.match(answer, new RegExp(`^1/1: ${PUSH_HOST}:\\d+ 201 Created$`))
  const [message] = service.received
  assert.deepEqual(service.faults, [])
  assert.deepEqual(
    [message?.data.title, message?.data.body, message?.data.tag],
    ['Switch “North” <offline> & 2 channels Bcc: everybody@evil.test', PROBLEM.text, PROBLEM.alarm]
  )
  assert.match(message?.claims.aud ?? '', new RegExp(`^https://${PUSH_HOST}:\\d+$`))
  assert.equal(message?.claims.sub, 'mailto:duty@studio.test')
  assert.deepEqual([message?.headers['content-encoding'], message?.headers.urgency], ['aes128gcm', 'high'])
  await sender().send(RECOVERED, CONFIG, unaborted())
  assert.equal(service.received[1]?.headers.topic, message?.headers.topic, 'a recovery replaces its problem')
})

test('the longest message fits in what push services take', async () => {
  await subscribe()
  const text = '体'.repeat(4000)
  await sender().send({ ...PROBLEM, title: text, text }, CONFIG, unaborted())
  const [message] = service.received
  assert.ok(Number(message?.headers['content-length']) <= 4096)
  assert.ok((message?.data.body.length ?? 0) > 700)
})

test('another attempt is for the browsers that have no copy, and one that is gone is removed', async () => {
  await subscribe()
  const away = new URL((await subscribe()).endpoint).pathname
  const gone = new URL((await subscribe()).endpoint).pathname
  service.statuses.set(away, 503)
  service.statuses.set(gone, 410)
  const push = sender()
  const error = await sendError(push.send(PROBLEM, CONFIG, unaborted()))
  assert.equal(error.isFinal, false)
  assert.match(error.text[0], /^Not all browsers have the message: 1\/2: /)
  assert.doesNotMatch(`${error.text}`, /wpush/, 'the address of a browser is a secret')
  assert.equal((await admin.send(listPushBrowsers, {})).list.length, 2)
  service.statuses.clear()
  assert.match(await push.send(PROBLEM, CONFIG, unaborted()), /^2\/2: /)
  assert.equal(service.received.length, 2)
})

test('an address inside a network is refused when it is stored and when the hub connects', async () => {
  const { key = '' } = await admin.send(listPushBrowsers, {})
  const subscription = service.subscribe(key)
  const addresses = [
    ...[
      'https://127.0.0.1/x',
      'https://10.0.0.1:8443/x',
      'https://localhost/x',
      'https://[::1]/x',
      'https://[fd00::1]/x'
    ],
    ...['https://169.254.169.254/x', 'https://2130706433/x', 'http://push.test/x', 'https://user@push.test/x', 'x']
  ]
  for (const endpoint of addresses) {
    const { result, field } = await admin.send(subscribeBrowser, { ...subscription, endpoint })
    assert.deepEqual([result, field], [INVALID_ARG, 'endpoint'], endpoint)
  }
  // As after a lookup of a name that leads inside.
  const { port } = new URL(subscription.endpoint)
  const inside = { ...subscription, endpoint: `https://127.0.0.1:${port}/wpush/0` }
  hub.parts.store.pushBrowsers.put(1, '', inside, Date.now())
  const error = await sendError(new PushSender({ store: hub.parts.store }).send(PROBLEM, CONFIG, unaborted()))
  assert.match(error.text[0], /This address is not allowed for a server/)
  assert.deepEqual([service.received, service.faults], [[], []])
})

test('the key stays the same, and no answer has it or the address of a browser', async () => {
  const subscription = await subscribe()
  const response = await admin.raw('GET', '/api/alert/push/list')
  const text = await response.text()
  const { key, list } = JSON.parse(text)
  await admin.send(addDestination, { name: 'Further browsers', type: 'push', config: CONFIG })
  assert.equal((await admin.send(listPushBrowsers, {})).key, key)
  assert.equal(Buffer.from(key, 'base64url').length, 65)
  assert.deepEqual(
    list.map(({ user }: { user: string }) => user),
    ['Admin']
  )
  for (const secret of [subscription.keys.auth, 'wpush']) assert.ok(!text.includes(secret), secret)
  const stored = JSON.stringify([
    hub.parts.store.settings.get('push-keys'),
    hub.parts.store.database.all('SELECT * FROM push_browser')
  ])
  for (const secret of [subscription.keys.auth, 'wpush', 'privateKey']) assert.ok(!stored.includes(secret), secret)
})

test('a browser that subscribes again replaces itself, and there are at most so many', async () => {
  const subscription = await subscribe()
  await admin.send(subscribeBrowser, subscription)
  assert.equal((await admin.send(listPushBrowsers, {})).list.length, 1)
  const other = (index: number) => ({ ...subscription, endpoint: `https://push.example.com/${index}` })
  for (let index = 1; index < PUSH_BROWSERS_MAX; index++) await admin.send(subscribeBrowser, other(index))
  assert.equal((await admin.send(subscribeBrowser, other(0))).result, TOO_MANY)
  assert.equal((await admin.send(subscribeBrowser, subscription)).result, SUCCESS)
  const [first] = (await admin.send(listPushBrowsers, {})).list
  assert.equal((await admin.send(unsubscribeBrowser, { id: first?.id })).result, SUCCESS)
  assert.equal((await admin.send(unsubscribeBrowser, { id: first?.id })).result, NOT_EXIST)
  await admin.send(unsubscribeBrowser, {})
  assert.deepEqual((await admin.send(listPushBrowsers, {})).list, [])
  assert.ok((await sendError(sender().send(PROBLEM, CONFIG, unaborted()))).isFinal)
})

test('the browsers of a user who has left the group Admin get nothing', async () => {
  await subscribe()
  const { database } = hub.parts.store
  database.run("UPDATE user SET expires = 1 WHERE name = 'Admin'")
  const error = await sendError(sender().send(PROBLEM, CONFIG, unaborted()))
  assert.equal(error.text[0], 'No browser is subscribed.')
  assert.deepEqual(service.received, [])
})

test('the service worker belongs to the whole console, and a contact is an address of e-mail', async () => {
  const response = await admin.raw('GET', '/api/alert/push/worker')
  assert.match(response.headers.get('content-type') ?? '', /^text\/javascript/)
  assert.equal(response.headers.get('service-worker-allowed'), '/')
  assert.match(await response.text(), /showNotification/)
  assert.ok(DESTINATION_KINDS.push.config.safeParse(CONFIG).success)
  assert.equal(DESTINATION_KINDS.push.config.safeParse({ contact: 'x' }).success, false)
})

test.run()
