// The preview parser beside what others would use: `docs/preview-parser.md` says what is demanded of it, and why some of that is not met.
import type { Measurement, Suite } from './measurement.ts'
import { compareInProcess } from './parser/in-process.ts'

/** Says why what is not met is not met. */
const DOCUMENT = 'docs/preview-parser.md'

export const suite: Suite = {
  title: 'parser',
  async run(): Promise<Measurement[]> {
    return [...(await compareInProcess(DOCUMENT))]
  }
}
