// Handlers for the system as a whole: addresses, revisions, and ports that are closed.
import { getRevisions } from '../../../contract/change-feed.ts'
import { listAddresses, retryPorts } from '../../../contract/system.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import { type Handler, handle, handleChange } from '../../http/handler.ts'
import type { WebPorts } from '../../http/ports/web-ports.ts'
import { listHubAddresses } from '../../machine/addresses.ts'
import type { Store } from '../../store/store.ts'

interface SystemParts {
  store: Store
  engine: EngineClient
  webPorts: WebPorts
  host: string
}

/** Lists the addresses of this machine, and the open ports for browsers, SRT and RTMP. */
function handleListAddresses({ engine, webPorts, host }: SystemParts): Handler {
  return handle(listAddresses, () => {
    const { srt, rtmp } = engine.observePorts()
    const ports = {
      web: webPorts.portOf('http'),
      files: webPorts.ports.files.observe().port,
      srt: srt.port,
      rtmp: rtmp.port
    }
    const openPorts = Object.entries(ports).filter(([, port]) => port !== undefined)
    return { addresses: listHubAddresses(host), ports: Object.fromEntries(openPorts) }
  })
}

function handleRetryPorts({ engine, webPorts }: { engine: EngineClient; webPorts: WebPorts }): Handler {
  return handleChange(retryPorts, (context) => {
    context.afterCommit(() => engine.retryPorts())
    context.afterCommit(() => webPorts.ports.files.retry())
    return {}
  })
}

export function systemHandlers(parts: SystemParts): Handler[] {
  return [
    handleListAddresses(parts),
    handle(getRevisions, () => ({ revs: parts.store.changes.revs() })),
    handleRetryPorts(parts)
  ]
}
