// Handlers for the sources: the inputs and outputs that channels use.

import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import type { Gate } from '../../auth/gate.ts'
import type { SharedPortName } from '../../channels/shared-ports.ts'
import type { PortForwards } from '../../devices/port-forwards.ts'
import type { Handler } from '../../http/handler.ts'
import type { WebPorts } from '../../http/ports/web-ports.ts'
import type { DevicePages } from '../../pages/device-pages.ts'
import type { Store } from '../../store/store.ts'
import { inputHandlers } from './input.ts'
import { outputHandlers } from './output.ts'

interface StreamSourceParts {
  store: Store
  gate: Gate
  engine: EngineClient
  webPorts: WebPorts
  portForwards: PortForwards
  devicePages: DevicePages
  sharedPort: (name: SharedPortName) => number | undefined
  applyChannel: (id: number) => Promise<void>
}

export function sourceHandlers(hub: StreamSourceParts): Handler[] {
  return [...inputHandlers(hub), ...outputHandlers(hub)]
}
