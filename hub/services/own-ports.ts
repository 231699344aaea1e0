// The ports on which the hub itself listens.
import type { SharedPortName } from '../channels/shared-ports.ts'
import type { HubContext } from '../context.ts'

type PortOwners = Pick<HubContext, 'filesPort' | 'portForwards' | 'devicePages' | 'panels' | 'sharedPort'>

const SHARED_PORTS: readonly SharedPortName[] = ['srt', 'rtmp']

/** @param listeningPorts those of the web server and of the device links, in this order */
export function listOwnPorts(
  { filesPort, portForwards, devicePages, panels, sharedPort }: PortOwners,
  listeningPorts: readonly number[]
): number[] {
  return [
    ...listeningPorts,
    ...[filesPort.observe().port ?? []].flat(),
    ...portForwards.listeningPorts(),
    ...devicePages.ports(),
    ...panels.ports(),
    ...SHARED_PORTS.flatMap((name) => sharedPort(name) ?? [])
  ]
}
