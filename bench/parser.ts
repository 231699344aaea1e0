// The preview parser compared with other parsers. `docs/preview-parser.md` describes the requirements and why some are
// not met.
import { compareWithReference } from '../test/kit/preview/reference.ts'
import type { Measurement, Suite } from './measurement.ts'
import { compareInBrowser } from './parser/in-browser.ts'
import { compareInProcess } from './parser/in-process.ts'
import { measureMemory } from './parser/memory.ts'

/** Explains the requirements that are not met. */
const DOCUMENT = 'docs/preview-parser.md'

const STREAMS = 100_000

/** Compares the results with those of a simple parser. Rejects at the first difference. */
async function compareResults(): Promise<Measurement> {
  const parts = await compareWithReference(STREAMS, Date.now() % 1_000_000)
  return {
    name: `equal parts in ${STREAMS} streams, on both paths`,
    unit: 'parts',
    referenceName: '',
    ours: parts,
    reference: Number.NaN
  }
}

export const suite: Suite = {
  title: 'parser',
  async run() {
    return [
      ...(await compareInProcess(DOCUMENT)),
      ...(await compareInBrowser()),
      ...(await measureMemory()),
      await compareResults()
    ]
  }
}
