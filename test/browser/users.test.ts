// User management with the keyboard only: adds a group and a user, and deletes both.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import { CHANNEL_CONTROL, CHANNEL_VIEW, INPUT_OUTPUT_VIEW } from '../../contract/access/permissions.ts'
import { listUsers } from '../../contract/access/user.ts'
import { linkTo } from '../../src/paths.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'

const test = suite('users')

/** Maximum number of Tab presses to reach an element. */
const STOPS = 80

let environment: BrowserEnvironment

test.before(async () => {
  environment = await startEnvironment()
})
test.after(() => environment?.close())

/** Name of the focused element. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement | null
    const label = element?.labels?.[0]?.textContent
    return (element?.getAttribute('aria-label') ?? label ?? element?.textContent ?? '').trim()
  })
}

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = []
  for (let stop = 0; stop < STOPS; stop++) {
    await page.keyboard.press('Tab')
    const focusedName = await focused(page)
    if (focusedName === name) return
    passed.push(focusedName)
  }
  assert.fail(`${name} is not among: ${passed.join(' | ')}`)
}

async function press(page: Page, name: string, key = 'Enter'): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press(key)
}

async function type(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.type(text)
}

test('a group and a user are added and deleted with the keyboard only', () =>
  environment.visit({ at: linkTo('users', { tab: 'groups' }) }, async (page) => {
    await page.getByRole('rowheader', { name: 'Viewer' }).waitFor()
    await press(page, 'Add user group')
    await page.getByRole('heading', { name: 'Add user group' }).waitFor()
    await type(page, 'Name', 'Operators')
    await press(page, 'Channel control', 'Space')
    await page.getByText('Also changed: Input/output view, Channel view').waitFor({ state: 'attached' })

    await press(page, 'Save')
    await page.getByRole('heading', { name: 'Operators', exact: true }).waitFor()
    const { groups = [] } = await environment.hub.send(listUsers, {})
    const group = groups.find(({ name }) => name === 'Operators')
    assert.equal(group?.permission, CHANNEL_CONTROL | CHANNEL_VIEW | INPUT_OUTPUT_VIEW)

    await press(page, 'Back')
    await page.getByRole('rowheader', { name: 'Operators' }).waitFor()
    await press(page, 'Users')
    await page.getByRole('rowheader', { name: 'Admin' }).waitFor()
    await press(page, 'Add user')
    await page.getByRole('dialog', { name: 'Add user' }).waitFor()
    assert.equal(await focused(page), 'User name')
    await page.keyboard.type('anna')
    await type(page, 'User group', 'Oper')
    await type(page, 'Password', 'secret-1')
    await type(page, 'Repeat password', 'secret-1')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'anna' }) })
    await row.getByRole('link', { name: 'Operators' }).waitFor()
    assert.equal(await focused(page), 'Add user')

    await press(page, 'Delete: anna')
    await page.getByRole('dialog', { name: 'Delete anna?' }).waitFor()
    await press(page, 'Delete anna')
    await row.waitFor({ state: 'detached' })
    const { users = [] } = await environment.hub.send(listUsers, {})
    assert.deepEqual(
      users.map(({ name }) => name),
      ['Admin']
    )
  }))

test.run()
