// The ports on which the hub itself listens.
import type { SharedPortName } from '../channels/shared-ports.ts'
import type { HubContext } from '../context.ts'

type PortOwners = Pick<HubContext, 'webPorts' | 'portForwards' | 'devicePages' | 'panels' | 'sharedPorts'>

const SHARED_PORTS: readonly SharedPortName[] = ['srt', 'rtmp']

export function listOwnPorts({ webPorts, portForwards, devicePages, panels, sharedPorts }: PortOwners): number[] {
  return [
    ...webPorts.openPorts(),
    ...portForwards.listeningPorts(),
    ...devicePages.ports(),
    ...panels.ports(),
    ...SHARED_PORTS.flatMap((name) => sharedPorts.portOf(name) ?? [])
  ]
}
