import type { WantedInput } from '../interfaces/channel.ts'
import type { Failure } from '../interfaces/failure.ts'
import type { InputCommand } from '../interfaces/input-command.ts'
import { explainExit } from '../process/failure.ts'
import type { SrtCallProcess } from '../srt/caller.ts'

/**
 * The failure of a run of an input that ended; undefined if the end is not a failure.
 * @param lines last lines of stderr
 * @param opened whether the run had media
 */
export function explainEnd(
  lines: readonly string[],
  wanted: WantedInput,
  command: InputCommand,
  call: SrtCallProcess | undefined,
  opened: boolean
): Failure | undefined {
  if (command.formatChanged?.()) return undefined
  const srtCaller = wanted.kind === 'url' && wanted.url.srt?.mode === 'caller'
  return call?.failure() ?? command.failure?.() ?? explainExit(lines, { opened, srtCaller, secrets: command.secrets })
}
