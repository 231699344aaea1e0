// Handlers for the sources: the inputs and outputs that channels use.

import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import type { Gate } from '../../auth/gate.ts'
import type { AddressedDevices } from '../../devices/address/addressed-devices.ts'
import type { Handler } from '../../http/handler.ts'
import type { Store } from '../../store/store.ts'
import { inputHandlers } from './input.ts'
import { outputHandlers } from './output.ts'
import type { PortsInUse } from './ports-in-use.ts'

interface StreamSourceParts {
  store: Store
  addressedDevices: Pick<AddressedDevices, 'camerasOf'>
  gate: Gate
  engine: EngineClient
  portsInUse: PortsInUse
  applyChannel: (id: number) => Promise<void>
}

export function sourceHandlers(parts: StreamSourceParts): Handler[] {
  return [...inputHandlers(parts), ...outputHandlers(parts)]
}
