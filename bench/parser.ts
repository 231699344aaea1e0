// The preview parser beside what others would use: `docs/preview-parser.md` says what is demanded of it, and why some of that is not met.
import { compareWithReference } from '../test/kit/preview/reference.ts'
import type { Measurement, Suite } from './measurement.ts'
import { compareInBrowser } from './parser/in-browser.ts'
import { compareInProcess } from './parser/in-process.ts'
import { measureMemory } from './parser/memory.ts'

/** Shows why what is not met is not met. */
const DOCUMENT = 'docs/preview-parser.md'

const STREAMS = 100_000

/** Rejects at the first stream that is parsed otherwise than the plain way. */
async function compareResults(): Promise<Measurement> {
  const parts = await compareWithReference(STREAMS, Date.now() % 1_000_000)
  return {
    name: `parts alike in ${STREAMS} streams, on both paths`,
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
