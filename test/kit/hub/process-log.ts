// Records what the hub in this process writes to its process log.
import { LEVELS, type LogFields, logger } from '../../../process-log/logger.ts'

/**
 * Runs `work` with the lines written so far. @returns the lines that were written until it ended, each with its stack
 * trace and fields
 */
export async function recordProcessLog(work: (lines: readonly string[]) => unknown): Promise<string[]> {
  const lines: string[] = []
  const methods = LEVELS.filter((level) => level !== 'fatal')
  for (const level of methods)
    Object.defineProperty(logger, level, {
      configurable: true,
      value(message: string, first?: unknown, fields?: LogFields) {
        const detail = first instanceof Error ? first.stack : JSON.stringify(first ?? {})
        lines.push(`${level} ${message} ${detail} ${JSON.stringify(fields ?? {})}`)
      }
    })
  try {
    await work(lines)
  } finally {
    for (const level of methods) Reflect.deleteProperty(logger, level)
  }
  return lines
}
