import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addToken, listTokens, UNLIMITED } from '../../../contract/token.ts'
import { openConsole } from '../../kit/console.ts'
import { addUser } from '../../kit/hub.ts'
import { hub, hubForEach } from '../../kit/hub-for-each.ts'
import { all, choose, click, fill, none, one, words } from '../../kit/page.ts'
import { until } from '../../kit/until.ts'

const test = suite('access tokens')

hubForEach(test)

const AT = '/settings/access-tokens'
/** The button stands above the list, and in its place while it is empty. */
async function openDialog(): Promise<void> {
  await until(() => all('button', 'Add access token').length === 2, 'the empty list')
  await click(all('button', 'Add access token')[0] as HTMLElement)
}
const kept = async () => (await hub.enter().send(listTokens, {})).list

test('without tokens it says what they are for', async () => {
  await openConsole(hub, { at: AT })
  await until(() => words(document.body).includes('may do what its owner may'), 'the empty list')
})

test('a new token is shown once, works, and is then known by its beginning alone', async () => {
  await openConsole(hub, { at: AT })
  await openDialog()
  const dialog = await one('dialog', 'Add access token')
  await fill(await one('textbox', 'Name', dialog), 'Nightly backup')
  await click(await one('button', 'Add access token', dialog))
  const made = await one('dialog', 'Token')
  const token = made.querySelector('.row code')?.textContent ?? ''
  assert.match(token, /^[A-Za-z0-9]{64}$/)
  const answer = await hub.client().raw('GET', '/api/session', { headers: { authorization: `Bearer ${token}` } })
  assert.equal(((await answer.json()) as { user: { name: string } }).user.name, 'Admin')
  await click(await one('button', 'Done', made))
  await one('row', /Nightly backup/)
  assert.ok(!words(document.body).includes(token))
  const [line] = await kept()
  assert.equal(line?.['expired-time'], UNLIMITED)
  assert.ok(token.startsWith(line?.begin ?? '-'))
})

test('a token may end with a day, which must not be over', async () => {
  await openConsole(hub, { at: AT })
  await openDialog()
  const dialog = await one('dialog', 'Add access token')
  const day = dialog.querySelector('input[type=date]') as HTMLInputElement
  await fill(day, '2020-01-01')
  await click(await one('button', 'Add access token', dialog))
  assert.deepEqual(await kept(), [])
  await fill(day, '2099-12-31')
  await click(await one('button', 'Add access token', dialog))
  await one('dialog', 'Token')
  assert.equal((await kept())[0]?.['expired-time'], new Date('2099-12-31T23:59:59.999').getTime())
})

test('the owner is chosen among the users', async () => {
  await addUser(hub, 'robot', 4)
  await openConsole(hub, { at: AT })
  await openDialog()
  const dialog = await one('dialog', 'Add access token')
  const owner = (await one('combobox', 'Owner', dialog)) as HTMLSelectElement
  await until(() => owner.options.length === 2, 'the users')
  await choose(owner, 'robot')
  await click(await one('button', 'Add access token', dialog))
  await one('dialog', 'Token')
  assert.equal((await kept())[0]?.owner, 'robot')
})

test('a token is revoked after a question, and is refused from then on', async () => {
  const { token } = await hub.enter().send(addToken, { name: 'Old', 'expired-time': UNLIMITED })
  await openConsole(hub, { at: AT })
  await click(await one('button', 'Delete: Old'))
  const question = await one('dialog', 'Delete Old?')
  await click(await one('button', 'Delete Old', question))
  await none('row', /Old/)
  const answer = await hub.client().raw('GET', '/api/session', { headers: { authorization: `Bearer ${token}` } })
  assert.deepEqual(await answer.json(), { result: 37 })
})

test('who is no administrator is told why the page is empty', async () => {
  await addUser(hub, 'viewer', 4)
  await openConsole(hub, { at: AT, user: 'viewer' })
  await until(() => words(document.body).includes('Admin account permission required'), 'the reason')
})

test.run()
