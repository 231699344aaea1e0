// What uses the network interfaces of the machine: running channels that are bound to one, and NDI if its settings name
// interfaces.
import type { NetworkInterface } from '../../contract/machine/network.ts'
import type { InterfaceUsers } from '../machine/network/network.ts'
import type { Store } from '../store/store.ts'
import { wantedChannel } from './wanted.ts'

type InterfaceNames = Pick<NetworkInterface, 'iface' | 'ipaddr'>

const namesOf = ({ iface, ipaddr }: InterfaceNames) => (ipaddr ? [iface, ipaddr] : [iface])

/** @returns a function that lists the users of an interface: running channels that name it or its address, and NDI */
export function findInterfaceUsers(store: Store): (found: InterfaceNames) => InterfaceUsers {
  const channels = store.channels
    .all()
    .filter(({ enable }) => enable === 1)
    .map(({ id }) => ({ id, text: JSON.stringify(wantedChannel(store, id) ?? null) }))
    .filter(({ text }) => text.includes('iface'))
  const { ifaces } = store.settings.get('ndi-discovery')
  return (found) => {
    const names = namesOf(found)
    const pattern = names.map((name) => name.replace(/[.]/g, '\\.')).join('|')
    const binding = new RegExp(`iface(?:=|":")(?:${pattern})(?:["&]|$)`)
    const bound = channels.filter(({ text }) => binding.test(text)).map(({ id }) => id)
    return { channels: bound, hasNdi: names.some((name) => ifaces.includes(name)) }
  }
}
