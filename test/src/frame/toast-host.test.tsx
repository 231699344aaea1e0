import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { act, tell } from '../../../src/state/toasts.ts'
import { setLanguage } from '../../../src/text/language.ts'
import { openConsole } from '../../kit/console.ts'
import { hub, hubForEach } from '../../kit/hub-for-each.ts'
import { all, click, none, one, says, words } from '../../kit/page.ts'

const test = suite('notices')

hubForEach(test)

test.before.each(async () => {
  await openConsole(hub)
  await one('heading', 'Dashboard')
})

test('a success is a sentence that interrupts nobody', async () => {
  tell(0)
  await says('Operation succeeded')
  assert.deepEqual(
    all('alert').map((alert) => words(alert)),
    []
  )
})

test('a failure is a sentence that is said at once, and stays until it is dismissed', async () => {
  await act(Promise.resolve({ result: 1007 }))
  const alert = await one('alert', /The port is already in use/)
  await says('Choose another one.', alert)
  await click(await one('button', 'Dismiss', alert))
  await none('alert')
})

test('a code that nobody knows is said with its number', async () => {
  tell(4711)
  await says('Operation failed. Error code: 4711')
})

test('codes that the documents name are words in both languages', async () => {
  const sentences: [number, string, string][] = [
    [31, 'No permission to operate.', '没有操作权限。'],
    [1001, 'The pull key already exists', '拉流密钥已存在'],
    [10007, 'The device is offline', '设备已离线']
  ]
  for (const [code, english, chinese] of sentences) {
    tell(code)
    await says(english)
    setLanguage('zh')
    await says(chinese)
    setLanguage('en')
    await says(english)
  }
})

test('what the hub says itself is shown as it says it', async () => {
  tell({ result: -107, message: 'License subscription is expired, please renew it.' })
  await says('License subscription is expired, please renew it.')
})

test('that nobody is signed in is not a message', async () => {
  await act(Promise.resolve({ result: 37 }))
  tell(0)
  await says('Operation succeeded')
  assert.equal(all('button', 'Dismiss').length, 1)
})

test.run()
