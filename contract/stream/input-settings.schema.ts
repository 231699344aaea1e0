// The settings of an input source, besides its name.
import * as z from 'zod'
import { textRule, wholeNumber } from '../fields.schema.ts'
import { PROGRAM_MAX } from '../limits.ts'
import { isNdiUrl, ndiUrl } from '../ndi/url.ts'
import { type EngineSettings, type SettingTable, type StoredSettings, shapeOf } from '../setting.schema.ts'
import { INPUT_CERTIFICATES } from './certificate-check.schema.ts'
import { sourceUrl } from './source-url.ts'

export const INPUT_SETTINGS = {
  /**
   * Can contain secrets: callers that may not edit inputs see it masked, and an export without secrets has it without
   * them.
   */
  url: {
    schema: textRule((value) => (isNdiUrl(value) ? ndiUrl(value) : sourceUrl(value))),
    stored: ['url', 'text']
  },
  /** Number of the program to receive, for MPEG-TS with several programs over SRT, UDP or RTP. Absent: all programs. */
  program: {
    schema: wholeNumber(1, PROGRAM_MAX)
      .optional()
      .describe(
        'Number of the program to receive, 1-65535, for MPEG-TS with several programs over SRT, UDP or RTP. Absent: all programs'
      ),
    stored: ['program', 'number'],
    engine: 'own',
    interrupts: true
  },
  'certificate-check': {
    schema: INPUT_CERTIFICATES['certificate-check'],
    stored: ['certificates', 'member'],
    engine: 'own',
    interrupts: true
  },
  'trusted-certificates': {
    schema: INPUT_CERTIFICATES['trusted-certificates'],
    stored: ['certificates', 'member'],
    engine: 'own',
    interrupts: true
  }
} as const satisfies SettingTable

type Table = typeof INPUT_SETTINGS
export type InputSettings = StoredSettings<Table>
export type EngineInputSettings = EngineSettings<Table, 'own'>

/** The configuration of an input, as in requests. */
export const InputConfigRequest = z.object({ type: z.literal(1), ...shapeOf(INPUT_SETTINGS) })
