// What the program for hardware updates reports: one JSON object in each line, of a component or of the state.
import * as z from 'zod'
import { INSTALLATION_STATE } from '../../../contract/installation-state.ts'
import { cleanWords } from './program.ts'

/** Components that the program may have. */
export const COMPONENT_MAX = 64

const label = (max: number) => z.string().transform(cleanWords).pipe(z.string().min(1).max(max))
const componentId = z.string().regex(/^[\w.-]{1,64}$/)

const ComponentLine = z.object({
  component: componentId,
  name: label(64),
  version: label(64),
  offered: label(64).optional(),
  'needs-reboot': z.boolean().optional(),
  interrupts: z.union([z.literal('all'), z.array(z.string().min(1).max(64)).max(COMPONENT_MAX)]).optional()
})
const StateLine = z.object({
  state: z.literal(Object.values(INSTALLATION_STATE)),
  progress: z.number().min(0).max(100).transform(Math.floor).default(0),
  component: componentId.optional(),
  error: z.string().transform(cleanWords).optional()
})

export type ReportedComponent = z.infer<typeof ComponentLine>

export interface HardwareReport {
  /** `INSTALLATION_STATE`; undefined if no line has said it. */
  state?: number
  /** Percent. */
  progress: number
  /** Id of the component that is being updated. */
  component?: string | undefined
  /** Why it failed, in the words of the program. */
  error?: string | undefined
  components: readonly ReportedComponent[]
}

export const EMPTY_REPORT: HardwareReport = { progress: 0, components: [] }

/** The report after another line of the program. @throws Error if it is no line of the protocol */
export function addLine(report: HardwareReport, line: string): HardwareReport {
  const parsed: unknown = JSON.parse(line)
  if (typeof parsed === 'object' && parsed !== null && 'state' in parsed)
    return { components: report.components, ...StateLine.parse(parsed) }
  const added = ComponentLine.parse(parsed)
  const isKnown = report.components.some(({ component }) => component === added.component)
  if (!isKnown && report.components.length >= COMPONENT_MAX) throw new Error('Too many components')
  const replaced = report.components.map((each) => (each.component === added.component ? added : each))
  return { ...report, components: isKnown ? replaced : [...replaced, added] }
}
