import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addToken, listTokens, NEVER_EXPIRES } from '../../../../contract/access/token.ts'
import { NOT_LOGGED_IN } from '../../../../contract/codes.ts'
import { setLanguage } from '../../../../src/text/language.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  queryAllByRole,
  selectOption,
  visibleText,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { until } from '../../../kit/until.ts'

const test = suite('access tokens')

hubForEach(test)

const TOKENS_PATH = '/settings/access-tokens'
/** While the list is empty, the button is shown twice: above the list and in the empty state. */
async function openDialog(): Promise<void> {
  await until(() => queryAllByRole('button', 'Add access token').length === 2, 'the empty list')
  await click(queryAllByRole('button', 'Add access token')[0] as HTMLElement)
}
const storedTokens = async () => (await hub.clientAs().send(listTokens, {})).list

test('the empty list explains access tokens', async () => {
  await openConsole(hub, { at: TOKENS_PATH })
  await until(
    () => visibleText(document.body).includes('has the permissions of its owner, limited to the scopes of the token'),
    'the empty list'
  )
})

test('a new token is shown once, works, and is then known by its first characters only', async () => {
  await openConsole(hub, { at: TOKENS_PATH })
  await openDialog()
  const dialog = await findByRole('dialog', 'Add access token')
  await fill(await findByRole('textbox', 'Name', dialog), 'Nightly backup')
  await click(await findByRole('button', 'Add access token', dialog))
  const created = await findByRole('dialog', 'Token')
  const token = created.querySelector('pre')?.textContent ?? ''
  assert.match(token, /^[A-Za-z0-9]{64}$/)
  const answer = await hub.client().raw('GET', '/api/session', { headers: { authorization: `Bearer ${token}` } })
  assert.equal(((await answer.json()) as { user: { name: string } }).user.name, 'Admin')
  await click(queryAllByRole('button', 'Close', created).at(-1) as HTMLElement)
  await findByRole('row', /Nightly backup/)
  assert.ok(!visibleText(document.body).includes(token))
  const [line] = await storedTokens()
  assert.equal(line?.['expired-time'], NEVER_EXPIRES)
  assert.ok(token.startsWith(line?.begin ?? '-'))
})

test('a token can have a last day, which must not be in the past', async () => {
  await openConsole(hub, { at: TOKENS_PATH })
  await openDialog()
  const dialog = await findByRole('dialog', 'Add access token')
  const day = dialog.querySelector('input[type=date]') as HTMLInputElement
  await fill(day, '2020-01-01')
  await click(await findByRole('button', 'Add access token', dialog))
  assert.deepEqual(await storedTokens(), [])
  await fill(day, '2099-12-31')
  await click(await findByRole('button', 'Add access token', dialog))
  await findByRole('dialog', 'Token')
  assert.equal((await storedTokens())[0]?.['expired-time'], new Date('2099-12-31T23:59:59.999').getTime())
})

test('a token has the selected scopes, of which it needs one', async () => {
  await openConsole(hub, { at: TOKENS_PATH })
  await openDialog()
  const dialog = await findByRole('dialog', 'Add access token')
  const scope = (name: string) => findByRole('checkbox', name, dialog)
  assert.equal(((await scope('View')) as HTMLInputElement).checked, true)
  await click(await scope('View'))
  await click(await findByRole('button', 'Add access token', dialog))
  await findByRole('alert', 'Required', dialog)
  assert.deepEqual(await storedTokens(), [])
  await click(await scope('Read metrics'))
  await click(await scope('Control and edit channels'))
  await click(await findByRole('button', 'Add access token', dialog))
  await click(queryAllByRole('button', 'Close', await findByRole('dialog', 'Token')).at(-1) as HTMLElement)
  assert.deepEqual((await storedTokens())[0]?.scopes, ['channels', 'metrics'])
  await waitForText('Control and edit channels · Read metrics')
  setLanguage('zh')
  await waitForText('控制和编辑频道 · 读取指标')
  setLanguage('en')
})

test('the owner is selected from the users', async () => {
  await addUser(hub, 'robot', 4)
  await openConsole(hub, { at: TOKENS_PATH })
  await openDialog()
  const dialog = await findByRole('dialog', 'Add access token')
  const owner = (await findByRole('combobox', 'Owner', dialog)) as HTMLSelectElement
  await until(() => owner.options.length === 2, 'the users')
  await selectOption(owner, 'robot')
  await click(await findByRole('button', 'Add access token', dialog))
  await findByRole('dialog', 'Token')
  assert.equal((await storedTokens())[0]?.owner, 'robot')
})

test('a token is deleted after a confirmation, and is refused from then on', async () => {
  const { token } = await hub.clientAs().send(addToken, { name: 'Old', 'expired-time': NEVER_EXPIRES })
  await openConsole(hub, { at: TOKENS_PATH })
  await click(await findByRole('button', 'Delete: Old'))
  const question = await findByRole('dialog', 'Delete Old?')
  await click(await findByRole('button', 'Delete Old', question))
  await waitForNone('row', /Old/)
  const answer = await hub.client().raw('GET', '/api/session', { headers: { authorization: `Bearer ${token}` } })
  assert.deepEqual(await answer.json(), { result: NOT_LOGGED_IN })
})

test('a user who is no administrator sees why the page is empty', async () => {
  await addUser(hub, 'viewer', 4)
  await openConsole(hub, { at: TOKENS_PATH, user: 'viewer' })
  await until(() => visibleText(document.body).includes('Admin account permission required'), 'the reason')
})

test.run()
