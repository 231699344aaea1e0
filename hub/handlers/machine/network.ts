// Handlers for the network of the machine (contract/machine/network.ts).
import { listNetwork } from '../../../contract/machine/network.ts'
import type { HubContext } from '../../context.ts'
import { type Handler, handle } from '../../http/handler.ts'

export function networkHandlers({ machine }: HubContext): Handler[] {
  return [handle(listNetwork, ({ language, localAddress }) => machine.network.list({ language, localAddress }))]
}
