// Every dialog: axe-core in both themes, Tab reaches everything in it, Escape closes it, and the focus returns.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import { linkTo, ROUTES } from '../../src/paths.ts'
import { checkBothThemes } from '../kit/browser/axe.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'
import { fillHub } from '../kit/browser/filled-hub.ts'
import { walkByTab } from '../kit/browser/focus.ts'
import { openRoute, waitForContent } from '../kit/browser/open-route.ts'

const test = suite('dialogs')

let environment: BrowserEnvironment
let channel: string
let device: string

test.before(async () => {
  environment = await startEnvironment({ devices: 3 })
  ;({ channel, device } = await fillHub(environment))
})
test.after(() => environment?.close())

/** A dialog: its page, and the buttons that open it, one after the other. An item of a menu is the last. */
type Opening = readonly [path: string, ...buttons: string[]]

const CHANNEL_MENU = 'Actions: Sunday service'
const DEVICE_MENU = 'Actions: Main Hall PTZ'

const openings = (): readonly Opening[] => [
  [ROUTES.wall, 'Choose channels'],
  [ROUTES.channels, 'Add channel'],
  [ROUTES.channels, 'SRT: Settings'],
  [ROUTES.channels, CHANNEL_MENU, 'Change input'],
  [ROUTES.channels, CHANNEL_MENU, 'Add output'],
  [ROUTES.channels, CHANNEL_MENU, 'Send to decoder'],
  [ROUTES.channels, CHANNEL_MENU, 'Edit tags'],
  [ROUTES.channels, CHANNEL_MENU, 'Access'],
  [channel, 'Add backup'],
  [channel, 'Edit: Gate'],
  [channel, 'Edit: Foyer'],
  [channel, 'QR code'],
  [ROUTES.inputs, 'Add input'],
  [ROUTES.inputs, 'Edit: Gate'],
  [ROUTES.inputs, 'URL for the remote end: Gate'],
  [ROUTES.outputs, 'Add output'],
  [linkTo('ndiSources', { tab: 'presets' }), 'Add preset'],
  [ROUTES.allDevices, 'Add device'],
  [ROUTES.allDevices, 'Find devices'],
  [ROUTES.allDevices, DEVICE_MENU, 'Rename'],
  [ROUTES.allDevices, DEVICE_MENU, 'Move to group'],
  [ROUTES.allDevices, DEVICE_MENU, 'Connection'],
  [ROUTES.allDevices, DEVICE_MENU, 'Update firmware'],
  [ROUTES.allDevices, DEVICE_MENU, 'Swap'],
  [ROUTES.allDevices, DEVICE_MENU, 'Reboot'],
  [ROUTES.allDevices, DEVICE_MENU, 'Delete'],
  [ROUTES.network, 'Change port: SRT'],
  [ROUTES.users, 'Add user'],
  [ROUTES.users, 'Edit: Admin'],
  [ROUTES.users, 'Change password: Admin'],
  [linkTo('users', { tab: 'sessions' }), 'Add wall display'],
  [ROUTES.accessTokens, 'Add access token'],
  [ROUTES.logs, 'Clear log'],
  [ROUTES.profile, 'Enable'],
  [device, 'Go to, find, do']
]

/** The buttons of dialogs that do not fit into half a window. */
const LONG = ['Add channel', 'Edit: Foyer', 'Connection', 'Add user']

/** Describes the element with the focus. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: on } = document
    return on === document.body ? 'nothing' : (on?.getAttribute('aria-label') ?? on?.textContent ?? '').trim()
  })

/** Opens a dialog with the keyboard. */
async function openDialog(page: Page, [path, ...buttons]: Opening): Promise<void> {
  await openRoute(page, path)
  await waitForContent(page)
  for (const [index, name] of buttons.entries()) {
    const role = index > 0 ? 'menuitem' : 'button'
    await page.getByRole(role, { name, exact: true }).first().press('Enter')
  }
  await page.getByRole('dialog').waitFor()
  await page.waitForFunction(() => !document.querySelector('dialog .skeleton'))
  // The devices are loaded after the dialog.
  if (buttons.at(-1) === 'Add channel')
    await page.getByRole('dialog').getByRole('button', { name: 'Main Hall PTZ' }).waitFor()
}

test('no dialog has a violation, and each is operated with the keyboard', () =>
  environment.visit({}, async (page) => {
    const faults: string[] = []
    for (const opening of openings()) {
      const what = opening.join(' > ')
      await openDialog(page, opening)
      faults.push(...(await checkBothThemes(page, what, 'dialog[open]')))
      faults.push(...(await walkByTab(page, 'dialog[open]')).map((fault) => `${what}: ${fault}`))
      await page.locator('dialog[open] :is(input, select, button)').first().focus()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      const on = await focused(page)
      if (on !== opening[1]) faults.push(`${what}: the focus is then on ${on}`)
    }
    assert.deepEqual(faults, [])
  }))

test('at 200 % nothing with the focus is covered by the buttons of a dialog', () =>
  environment.visit({ size: [640, 400] }, async (page) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const faults: string[] = []
    for (const opening of openings().filter((buttons) => LONG.includes(buttons.at(-1) ?? ''))) {
      await openDialog(page, opening)
      faults.push(...(await walkByTab(page, 'dialog[open]')).map((fault) => `${opening.join(' > ')}: ${fault}`))
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    assert.deepEqual(faults, [])
  }))

test.run()
