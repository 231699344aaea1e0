// Handlers for the name of the hub (contract/machine/name.ts).
import { type HubName, hostNameFor, setDeviceName } from '../../../contract/machine/name.ts'
import type { HubContext } from '../../context.ts'
import { type Handler, handlePreparedChange } from '../../http/handler.ts'
import type { Language } from '../../messages/language.ts'
import { refuseWith } from './refusal.ts'

/** The name that users gave the hub, else the host name of its machine. */
export function hubName({ store, hosts }: Pick<HubContext, 'store' | 'hosts'>): string {
  return store.settings.get('device-name') || hosts.machineName
}

export async function describeName(hub: HubContext, language: Language): Promise<HubName> {
  const access = await hub.machine.hostName.describeAccess(language)
  return { 'device-name': hubName(hub), 'host-name': hub.hosts.machineName, access }
}

export function nameHandler(hub: HubContext): Handler {
  const { machine, store, hosts, certificates } = hub
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
