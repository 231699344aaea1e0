// A button of a described card that subscribes this browser to messages of the hub.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SUCCESS } from '../../../../contract/codes.ts'
import { describeForms, type FormCard } from '../../../../contract/form/form.ts'
import { linkTo } from '../../../../src/paths.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach } from '../../../kit/console/hub-for-each.ts'
import { click, findByRole, waitForText } from '../../../kit/console/page.ts'

const test = suite('subscription of a browser')
hubForEach(test)

const WORKER = '/api/bell/worker'
const SUBSCRIPTION = { endpoint: 'https://push.test/1', keys: { p256dh: 'x', auth: 'y' } }

const CARD: FormCard = {
  name: 'bell',
  title: 'Door bell',
  read: '/bell',
  topic: 'status',
  parts: [
    {
      button: 'Ring here',
      path: '/bell/subscribe',
      access: 'admin',
      subscribe: { key: 'key', worker: WORKER },
      success: 'Rings here'
    },
    { as: 'fault', text: 'Needs HTTPS.', when: [{ of: 'answer.blocked', is: [true] }] }
  ]
}

/** Opens a page with the card. @returns the bodies of its requests */
async function openCard(): Promise<unknown[]> {
  const console = await openConsole(hub, { at: linkTo('logs') })
  const sent: unknown[] = []
  console.intercept = (path, body) => {
    if (path.includes(`${describeForms.path}?name=`)) return Response.json({ result: SUCCESS, rev: 1, cards: [CARD] })
    if (!path.includes('/bell')) return undefined
    if (body !== undefined) sent.push(JSON.parse(body))
    return Response.json({ result: SUCCESS, key: 'B64' })
  }
  await click(await findByRole('link', 'Settings', await findByRole('navigation', 'Logs')))
  await waitForText('Door bell')
  return sent
}

/** Gives the page a service worker, as a browser over HTTPS does. */
function provideServiceWorker(subscribe: (options: object) => Promise<object>) {
  const calls: unknown[] = []
  const serviceWorker = {
    register: async (...args: unknown[]) => void calls.push(args),
    ready: Promise.resolve({
      pushManager: {
        getSubscription: async () => ({ unsubscribe: async () => void calls.push('unsubscribed') }),
        subscribe
      }
    })
  }
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true })
  return calls
}

test.after.each(() => void Reflect.deleteProperty(navigator, 'serviceWorker'))

test('without HTTPS the card says why, and nothing is sent', async () => {
  const sent = await openCard()
  await click(await findByRole('button', 'Ring here'))
  await waitForText('Needs HTTPS.')
  assert.deepEqual(sent, [])
})

test('the browser is subscribed with the key of the hub, instead of an earlier subscription', async () => {
  const asked: object[] = []
  const calls = provideServiceWorker(async (options) => {
    asked.push(options)
    return { toJSON: () => SUBSCRIPTION }
  })
  const sent = await openCard()
  await click(await findByRole('button', 'Ring here'))
  await waitForText('Rings here')
  assert.deepEqual(asked, [{ userVisibleOnly: true, applicationServerKey: 'B64' }])
  assert.deepEqual([calls, sent], [[[WORKER, { scope: '/' }], 'unsubscribed'], [SUBSCRIPTION]])
})

test('a user who does not permit messages sees why there are none', async () => {
  provideServiceWorker(() => Promise.reject(new DOMException('denied', 'NotAllowedError')))
  const sent = await openCard()
  await click(await findByRole('button', 'Ring here'))
  await waitForText('Needs HTTPS.')
  assert.deepEqual(sent, [])
})

test.run()
