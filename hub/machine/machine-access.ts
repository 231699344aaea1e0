// Whether the hub can change a part of the machine, as clients get it.
import { READ_ONLY } from '../../contract/codes.ts'
import type { MachineAccess, MachineMode } from '../../contract/machine/machine.ts'
import type { Language } from '../messages/language.ts'
import {
  type MachineObstacle,
  obstacleCommand,
  obstacleText,
  type ServiceObstacle,
  type SystemService
} from '../messages/machine.ts'
import { MachineError } from './machine-error.ts'

/**
 * Describes the access to a part of the machine.
 * @param obstacle why the service cannot be used now; undefined if it can. In view mode the service is not asked.
 */
export function describeAccess(
  language: Language,
  machine: MachineMode,
  service: SystemService,
  obstacle: ServiceObstacle | undefined
): MachineAccess {
  const current = machine === 'view' ? 'view' : obstacle
  if (!current) return { machine }
  const [reason, nextStep] = obstacleText(language, current, service)
  const command = obstacleCommand(current, service)
  return {
    machine,
    reason,
    'next-step': nextStep,
    ...(command && { command }),
    ...(current === 'missing' && { package: service.package })
  }
}

/** The refusal of a change while the hub cannot change a part of the machine: 26 with the reason and the next step. */
export function readOnlyError(language: Language, obstacle: MachineObstacle, service: SystemService): MachineError {
  return new MachineError(READ_ONLY, { message: obstacleText(language, obstacle, service).join('\n') })
}
