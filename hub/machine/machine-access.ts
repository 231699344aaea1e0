// Whether the hub can change a part of the machine, as clients get it.
import type { MachineAccess, MachineMode } from '../../contract/machine/machine.ts'
import type { Language } from '../messages/language.ts'
import { type MachineObstacle, obstacleText, type SystemService } from '../messages/machine.ts'

/**
 * Describes the access to a part of the machine.
 * @param obstacle why the service cannot be used now; undefined if it can. In view mode the service is not asked.
 */
export function describeAccess(
  language: Language,
  machine: MachineMode,
  service: SystemService,
  obstacle: Exclude<MachineObstacle, 'view'> | undefined
): MachineAccess {
  const current = machine === 'view' ? 'view' : obstacle
  if (!current) return { machine }
  const [reason, nextStep] = obstacleText(language, current, service)
  return { machine, reason, 'next-step': nextStep, ...(current === 'missing' && { package: service.package }) }
}
