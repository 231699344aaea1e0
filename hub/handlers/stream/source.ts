// Handlers for the sources: the inputs and outputs that channels use.
import type { HubContext } from '../../context.ts'
import type { Handler } from '../../http/handler.ts'
import { inputHandlers } from './input.ts'
import { outputHandlers } from './output.ts'

export function sourceHandlers(hub: HubContext): Handler[] {
  return [...inputHandlers(hub), ...outputHandlers(hub)]
}
