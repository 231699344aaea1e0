// Handlers for the system as a whole: status, addresses, shared ports, revisions and settings.
import { getRevisions } from '../../../contract/change-feed.ts'
import { listAddresses, retryPorts } from '../../../contract/system.ts'
import type { HubContext } from '../../context.ts'
import { type Handler, handle, handleChange } from '../../http/handler.ts'
import { listHubAddresses } from '../../machine/addresses.ts'
import { certificateHandlers } from './certificate.ts'
import { portHandlers } from './ports.ts'
import { handleGetSettings, handleSetSettings } from './settings.ts'
import { handleSystemStatus } from './status.ts'

/** Lists the addresses of this machine, and the open ports for browsers, SRT and RTMP. */
function handleListAddresses(hub: HubContext): Handler {
  return handle(listAddresses, () => {
    const { srt, rtmp } = hub.engine.observePorts()
    const ports = {
      web: hub.webPorts.portOf('http'),
      files: hub.filesPort.observe().port,
      srt: srt.port,
      rtmp: rtmp.port
    }
    const openPorts = Object.entries(ports).filter(([, port]) => port !== undefined)
    return { addresses: listHubAddresses(hub.host), ports: Object.fromEntries(openPorts) }
  })
}

function handleRetryPorts({ engine, filesPort }: HubContext): Handler {
  return handleChange(retryPorts, (context) => {
    context.afterCommit(() => engine.retryPorts())
    context.afterCommit(() => filesPort.retry())
    return {}
  })
}

export function systemHandlers(hub: HubContext): Handler[] {
  return [
    handleSystemStatus(hub),
    handleListAddresses(hub),
    handle(getRevisions, () => ({ revs: hub.store.changes.revs() })),
    handleGetSettings(hub),
    handleRetryPorts(hub),
    ...certificateHandlers(hub),
    ...portHandlers(hub),
    handleSetSettings(hub)
  ]
}
