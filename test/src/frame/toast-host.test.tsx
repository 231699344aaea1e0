import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { NOT_LOGGED_IN, NOT_PERMITTED, PORT_OCCUPIED, SUCCESS } from '../../../contract/codes.ts'
import { addChannel } from '../../../contract/stream/channel.ts'
import { linkTo } from '../../../src/paths.ts'
import { mutate } from '../../../src/state/mutations.ts'
import { notify } from '../../../src/state/toasts.ts'
import { setLanguage } from '../../../src/text/language.ts'
import * as OUTCOME from '../../../src/text/outcomes.ts'
import { openConsole } from '../../kit/console/console.ts'
import { hub, hubForEach } from '../../kit/console/hub-for-each.ts'
import { click, findByRole, queryAllByRole, visibleText, waitForNone, waitForText } from '../../kit/console/page.ts'

const test = suite('toast host')
const SAVED = { success: { text: OUTCOME.settingsSaved } }

hubForEach(test)

test.before.each(async () => {
  await openConsole(hub)
  await findByRole('heading', 'Dashboard')
})

test('a success is a polite message', async () => {
  notify(0)
  await waitForText('Operation succeeded')
  assert.deepEqual(
    queryAllByRole('alert').map((alert) => visibleText(alert)),
    []
  )
})

test('a failure is an alert, and stays until it is dismissed', async () => {
  await mutate(Promise.resolve({ result: PORT_OCCUPIED }), SAVED)
  const alert = await findByRole('alert', /The port is already in use/)
  await waitForText('Choose another one.', alert)
  await click(await findByRole('button', 'Dismiss', alert))
  await waitForNone('alert')
})

test('an unknown code is shown with its number', async () => {
  notify(4711)
  await waitForText('Operation failed. Error code: 4711')
})

test('known codes are sentences in both languages', async () => {
  const sentences: [number, string, string][] = [
    [31, 'No permission to operate.', '没有操作权限。'],
    [1001, 'The playback key already exists', '拉流密钥已存在'],
    [10007, 'The device is offline', '设备已离线']
  ]
  for (const [code, english, chinese] of sentences) {
    notify(code)
    await waitForText(english)
    setLanguage('zh')
    await waitForText(chinese)
    setLanguage('en')
    await waitForText(english)
  }
})

test('a message from the hub is shown unchanged', async () => {
  notify({ result: -107, message: 'License subscription is expired, please renew it.' })
  await waitForText('License subscription is expired, please renew it.')
})

test('a missing session is not shown as a message', async () => {
  await mutate(Promise.resolve({ result: NOT_LOGGED_IN }), SAVED)
  notify(0)
  await waitForText('Operation succeeded')
  assert.equal(queryAllByRole('button', 'Dismiss').length, 1)
})

test('a success names the object and leads to it, in the current language', async () => {
  const { id } = await hub.clientAs().send(addChannel, { name: 'Foyer Camera' })
  const path = linkTo('channelDetail', { channelId: String(id) })
  await mutate(Promise.resolve({ result: SUCCESS }), {
    success: { text: OUTCOME.started, names: ['Foyer Camera'], path }
  })
  await waitForText('Foyer Camera started Open')
  setLanguage('zh')
  await waitForText('已启动 Foyer Camera 打开')
  setLanguage('en')
  await click(await findByRole('link', 'Open'))
  await findByRole('heading', 'Foyer Camera')
  await waitForNone('link', 'Open')
})

test('a success with many objects names three of them and counts the rest', async () => {
  notify(0, { text: OUTCOME.started, names: ['A', 'B', 'C', 'D', 'E'] })
  await waitForText('A, B, C and 2 more started')
})

test('a failure of a write with a success message says the failure', async () => {
  await mutate(Promise.resolve({ result: NOT_PERMITTED }), {
    success: { text: OUTCOME.started, names: ['Foyer Camera'] }
  })
  await waitForText('No permission to operate.')
})

test.run()
