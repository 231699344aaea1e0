// The network page with the interfaces of a machine that is not the one of the tests.
import assert from 'node:assert/strict'
import { SUCCESS } from '../../../contract/codes.ts'
import {
  listNetwork,
  type NetworkInterface,
  type NetworkList,
  scanWifi,
  setNetwork
} from '../../../contract/machine/network.ts'
import { ROUTES } from '../../../src/paths.ts'
import { openConsole } from './console.ts'
import { hub } from './hub-for-each.ts'
import { openFromMenu } from './menu.ts'
import { click, findByRole, waitForText } from './page.ts'

export const ETHERNET: NetworkInterface = {
  iface: 'eth0',
  kind: 'ethernet',
  'use-dhcp': false,
  ipaddr: '192.168.1.7',
  netmask: '255.255.255.0',
  gateway: '192.168.1.1',
  dns1: '9.9.9.9',
  dns2: '',
  mtu: 1500,
  mac: '02:00:00:00:00:01',
  link: 3,
  status: 'locked',
  'used-by': ['Hall 1'],
  'hidden-streams': true,
  speed: 2500,
  rx: 4,
  tx: 1,
  'rx-bytes': 1,
  'tx-bytes': 1,
  label: 'Control',
  uses: ['console', 'ndi']
}

export const networkList = (more: Partial<NetworkList> = {}): NetworkList => ({
  access: { machine: 'manage' },
  list: [
    ETHERNET,
    { ...ETHERNET, iface: 'usb0', kind: 'usb', label: '', uses: [], status: 'disconnected', 'usb-speed': 480, link: 1 }
  ],
  ...more
})

/** Opens the page with a list as a hub on another machine sends it. @returns the requests to change it */
export async function openNetworkPage(
  response: NetworkList,
  answer: object = { result: SUCCESS },
  scanned: object = { result: SUCCESS, list: [] }
): Promise<object[]> {
  const console = await openConsole(hub, { at: ROUTES.profile })
  const sent: object[] = []
  console.intercept = (path, body) => {
    if (path.startsWith(`/api${listNetwork.path}`)) return Response.json({ result: SUCCESS, ...response })
    if (path === `/api${scanWifi.path}`) return Response.json(scanned)
    if (path !== `/api${setNetwork.path}`) return undefined
    const { 'dry-run': dryRun, ...request } = JSON.parse(body ?? '')
    // The hub shall refuse a change that takes a channel off air, until the user agrees.
    assert.equal(dryRun, request.force ? undefined : 'if-off-air')
    sent.push(request)
    return Response.json(answer)
  }
  await openFromMenu('Settings', 'Network')
  await waitForText('Control')
  return sent
}

export async function openDialogOf(iface: string): Promise<HTMLElement> {
  await click(await findByRole('button', `Edit ${iface}`))
  return findByRole('dialog', `Edit ${iface}`)
}

export const textField = (name: string, dialog: HTMLElement) => findByRole<HTMLInputElement>('textbox', name, dialog)
export const save = async (dialog: HTMLElement) => click(await findByRole('button', 'Save', dialog))
