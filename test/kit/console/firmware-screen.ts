// Fixtures for tests of the firmware screen.
import { acceptDevices } from '../../../contract/device/device.ts'
import { listFirmware } from '../../../contract/firmware.ts'
import { listRollouts } from '../../../contract/rollout.ts'
import { ROUTES } from '../../../src/paths.ts'
import { firmwareFile, type TestFile } from '../hub/firmware-upload.ts'
import { registerDevices } from '../hub/register-devices.ts'
import { until } from '../until.ts'
import { openConsole } from './console.ts'
import { hub, other } from './hub-for-each.ts'
import { click, findByRole, queryAllByRole, visibleText, waitForRender } from './page.ts'

export const FILE = firmwareFile('encodeAio', '1.5.0')

export const openFirmwareScreen = (path: string = ROUTES.firmware) => openConsole(hub, { at: path })
export const storedFiles = async () => (await other.send(listFirmware, {})).list

/** Selects a file to upload. */
export async function selectFile({ name, bytes }: TestFile): Promise<void> {
  await findByRole('button', 'Upload firmware')
  const input = document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement
  Object.defineProperty(input, 'files', { value: [new File([bytes], name, { lastModified: 1 })], configurable: true })
  input.dispatchEvent(new Event('change', { bubbles: true }))
  await waitForRender()
}

/** Registers and accepts devices, and sets them online. @returns their serial numbers */
export async function addOnlineDevices(count: number): Promise<string[]> {
  const serials = registerDevices(hub, count)
  await other.send(acceptDevices, { sn: serials })
  for (const sn of serials) hub.parts.registry.setOnline(sn)
  return serials
}

/** Sets the state of a device in a rollout. */
export function setDeviceStep(id: number, sn: string, state: number, reason = 0): void {
  const { rollouts: storedRollouts, database, changes } = hub.parts.store
  database.transaction(() => storedRollouts.setDevice(id, sn, state, reason, state > 0 ? 0 : Date.now()))
  changes.markChanged('rollout', id)
}

/** Opens the update dialog from the list of devices for a file. The devices must be online. */
export async function openUpgradeDialog(file: string, ...names: string[]): Promise<HTMLElement> {
  const version = file.split(' ').at(-1) ?? ''
  const line = () => queryAllByRole('row').find((row) => visibleText(row).includes(version))
  await until(() => line() !== undefined, `the line of ${file}`)
  await click(await findByRole('button', 'Choose devices', line()))
  for (const name of names) await click(await findByRole('checkbox', `Select ${name}`))
  await click(await findByRole('button', /^Update firmware/, await findByRole('toolbar', 'Actions')))
  return findByRole('dialog', 'Update firmware')
}
export const startUpdate = async (dialog: HTMLElement) => click(await findByRole('button', 'Update firmware', dialog))
export const storedRollouts = async () => (await other.send(listRollouts, {})).list
