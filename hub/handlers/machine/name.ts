// Handlers for the name of the hub (contract/machine/name.ts).
import { type HubName, hostNameFor, setDeviceName } from '../../../contract/machine/name.ts'
import type { Certificates } from '../../../tls/certificates.ts'
import type { HostAllowList } from '../../../web-server/host-allow-list.ts'
import { type Handler, handlePreparedChange } from '../../http/handler.ts'
import type { Machine } from '../../machine/machine.ts'
import type { Language } from '../../messages/language.ts'
import type { Store } from '../../store/store.ts'
import { refuseWith } from './refusal.ts'

interface DescribeNameParts {
  store: Store
  machine: Machine
  hosts: HostAllowList
}

interface NameParts {
  store: Store
  machine: Machine
  certificates: Certificates
  hosts: HostAllowList
}

/** The name that users gave the hub, else the host name of its machine. */
export function hubName({ store, hosts }: { store: Store; hosts: HostAllowList }): string {
  return store.settings.get('device-name') || hosts.machineName
}

export async function describeName(parts: DescribeNameParts, language: Language): Promise<HubName> {
  const access = await parts.machine.hostName.describeAccess(language)
  return { 'device-name': hubName(parts), 'host-name': parts.hosts.machineName, access }
}

export function nameHandler({ machine, store, hosts, certificates }: NameParts): Handler {
  return handlePreparedChange(
    setDeviceName,
    (context, { name }) => {
      context.detail = name
      return refuseWith(context.language, machine.hostName.set(hostNameFor(name)))
    },
    (context, { name }, needsReboot) => {
      store.settings.set('device-name', name)
      context.afterCommit(() => {
        hosts.addressesChanged()
        store.changes.markChanged('status')
        return certificates.check()
      })
      return { 'ext-need-reboot': needsReboot }
    }
  )
}
