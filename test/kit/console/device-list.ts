// Fixtures for tests of the device lists.
import assert from 'node:assert/strict'
import { SUCCESS } from '../../../contract/codes.ts'
import { acceptDevices, type Device, listDevices, type RegistrationFilter } from '../../../contract/device/device.ts'
import { registerDevices } from '../hub/register-devices.ts'
import { until } from '../until.ts'
import { hub, other } from './hub-for-each.ts'
import { click, fill, findByRole, press, queryAllByRole, visibleText } from './page.ts'
import { buttonInRow, rowNames } from './table-rows.ts'

/** Registers and accepts devices 1 to `count`. @returns their serial numbers */
export async function acceptDevicesUpTo(count: number): Promise<string[]> {
  const serials = registerDevices(hub, count)
  assert.equal((await other.send(acceptDevices, { sn: serials })).result, SUCCESS)
  return serials
}

/** Names of the devices in a registration state, from the hub. */
export async function deviceNamesIn(state: RegistrationFilter): Promise<string[]> {
  const { list } = await other.send(listDevices, { 'reg-state': state, sort: 'name', order: 'ascending' })
  return list.map((device: Device) => device.name)
}

/** Simulates a platform without IntersectionObserver, on which every element counts as visible. */
export function disableIntersectionObserver(): void {
  Object.assign(globalThis, { IntersectionObserver: undefined })
}

export const waitForRows = (names: string[]) =>
  until(() => rowNames().join() === names.join(), `rows ${names}`).catch((error: Error) => {
    throw new Error(`${error.message}; there are ${rowNames()}\n${visibleText()}`)
  })
export const menuItemOf = async (name: string, item: string | RegExp) => {
  await click(await buttonInRow(name, /^Actions/))
  return findByRole('menuitem', item)
}
export const selectRow = async (name: string) => click(await findByRole('checkbox', `Select ${name}`))
export const selectionToolbar = () => findByRole('toolbar', 'Actions')
export const findTile = async (name: string) => {
  const tiles = () =>
    queryAllByRole('listitem').filter((item) => item.querySelector('footer') && visibleText(item).includes(name))
  await until(() => tiles().length === 1, `the tile of ${name}`)
  return tiles()[0] as HTMLElement
}
export async function searchDevices(text: string): Promise<void> {
  const box = await findByRole('textbox', 'Search name or serial')
  await fill(box, text)
  await press(box, 'Enter')
}
