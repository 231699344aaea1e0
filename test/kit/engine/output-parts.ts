// What an output of the engine needs, without programs: launches are stored, and no process starts.
import type { Launch } from '../../../engine/interfaces/launcher.ts'
import type { OutputParts } from '../../../engine/outputs/output.ts'

/** @param launches gets the launches of programs, oldest first */
export function createOutputParts(launches: Launch[] = []): OutputParts {
  const parts: Partial<OutputParts> = {
    launcher: {
      run(launch) {
        launches.push(launch)
        return { pid: undefined, stdin: undefined, stop: async () => {} }
      },
      waitForStops: async () => {},
      listMissing: () => [],
      processCount: () => 0,
      processorWait: () => 0,
      stopAll: async () => {}
    },
    srtProgram: () => undefined,
    resolveHost: async (host) => host,
    outputHost: '127.0.0.1',
    onChange() {},
    now: () => performance.now()
  }
  return parts as OutputParts
}
