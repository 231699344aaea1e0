// Media: what decoding and encoding beside the streams takes of the processor.
import type { Suite } from './measurement.ts'
import { measureContent } from './streams/content.ts'

export const suite: Suite = {
  title: 'media',
  run: measureContent
}
