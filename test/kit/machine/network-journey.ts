// Journeys on the network page of a managed machine, from the far side of its cable.
import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { SUCCESS } from '../../../contract/codes.ts'
import { type NetworkOutcome, setNetwork } from '../../../contract/machine/network.ts'
import { setSettings } from '../../../contract/settings.ts'
import type { WebRequest } from '../../../contract/web/settings.ts'
import { signIn } from '../browser/browser.ts'
import { LIMIT, until } from '../until.ts'
import { openLanChromium } from './lan-browser.ts'
import { ADDRESS, ManagedMachine, PASSWORD } from './managed-machine.ts'

/** Seconds for which the console may be lost: NetworkManager goes back after 60 s. */
export const LOST_MAX = 75

export const NEW_ADDRESS = '198.51.100.77'
export const CHANGE = {
  iface: 'eth0',
  'use-dhcp': false,
  ipaddr: NEW_ADDRESS,
  netmask: '255.255.255.0',
  gateway: '198.51.100.1',
  dns1: '9.9.9.9',
  dns2: ''
}
const open: ManagedMachine[] = []
const browsers: Browser[] = []
/** @param env of the hub */
export async function openMachine(owner?: 'other', env?: Record<string, string>): Promise<ManagedMachine> {
  const machine = await ManagedMachine.open(owner, undefined, undefined, env)
  open.push(machine)
  return machine
}
/** Closes all browsers and machines that are open. */
export async function closeMachines(): Promise<void> {
  await Promise.all(browsers.splice(0).map((browser) => browser.close()))
  await Promise.all(open.splice(0).map((machine) => machine.close()))
}

/** Waits until the last change has ended. */
export function waitForOutcome(managed: ManagedMachine): Promise<NetworkOutcome> {
  return until(async () => {
    // The hub may be lost between the two requests.
    const list = (await managed.client.reaches()) ? await managed.list().catch(() => undefined) : undefined
    return list?.last
  }, 'the change has ended')
}

/** Opens the network page in a browser in the LAN. */
export async function openConsole(managed: ManagedMachine, address = ADDRESS): Promise<Page> {
  const browser = await openLanChromium(managed.machine)
  browsers.push(browser)
  const page = await browser.newPage({ locale: 'en' })
  page.setDefaultTimeout(LIMIT)
  await page.goto(`http://${address}:3000/#/settings/network`)
  await signIn(page, 'Admin', PASSWORD)
  return page
}

export async function setAddress(page: Page, address: string, gateway = '198.51.100.1'): Promise<void> {
  await page.getByRole('button', { name: 'Edit eth0' }).click()
  await page.getByLabel('Address', { exact: true }).fill(address)
  await page.getByLabel('Gateway').fill(gateway)
  await page.getByRole('button', { name: 'Save' }).click()
}

/** Requests the change, and waits until it is in effect. */
export async function change(managed: ManagedMachine): Promise<string> {
  const { result, ticket = '' } = await managed.client.send(setNetwork, CHANGE)
  assert.equal(result, SUCCESS)
  await managed.waitForChange(NEW_ADDRESS)
  return ticket
}

/** Changes the settings of the console's ports. */
export function setWeb({ client }: ManagedMachine, web: WebRequest, origin = `http://${ADDRESS}:3000`) {
  return client.sendTo(origin, setSettings, { web })
}

/**
 * Runs cases at the same time, each on a machine of its own, and watches from the far side of its cable for how long
 * the console is lost.
 */
export async function expectShortGaps(cases: readonly ((managed: ManagedMachine) => Promise<void>)[]): Promise<void> {
  const gaps = await Promise.all(
    cases.map(async (run) => {
      const managed = await openMachine()
      const work = run(managed)
      const [gap] = await Promise.all([managed.measureGap([ADDRESS, NEW_ADDRESS], work), work])
      return [run.name, gap] as const
    })
  )
  for (const [name, gap] of gaps) assert.ok(gap < LOST_MAX, `${name}: the console was lost for ${gap} s`)
}
