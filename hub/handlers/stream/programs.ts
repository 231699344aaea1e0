// The programs of inputs with several, as the engine receives them.
import type { InputProgram } from '../../../contract/stream/source.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import type { Store } from '../../store/store.ts'

/** Codecs by stream type (ISO/IEC 13818-1, table 2-34, and ATSC A/53). Type 6 is private data, such as subtitles. */
const CODECS: Readonly<Record<number, string>> = {
  1: 'MPEG-1',
  2: 'MPEG-2',
  3: 'MPEG audio',
  4: 'MPEG audio',
  15: 'AAC',
  16: 'MPEG-4',
  17: 'AAC',
  27: 'H.264',
  36: 'HEVC',
  51: 'VVC',
  129: 'AC-3',
  135: 'E-AC-3'
}

/** The programs that a running channel currently receives from an input; undefined if there are not several. */
export function receivedPrograms(
  { store, engine }: { store: Store; engine: EngineClient },
  inputId: number
): InputProgram[] | undefined {
  for (const channel of store.channels.byInput(inputId)) {
    if (channel.enable === 0) continue
    const { input, backups } = engine.observe(channel.id)
    const { programs } = (channel.input_id === inputId ? input : backups?.get(inputId)) ?? {}
    if (programs)
      return programs.map(({ number, streams }) => ({
        number,
        codecs: streams.flatMap((type) => CODECS[type] ?? [])
      }))
  }
  return undefined
}
