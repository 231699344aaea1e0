// Request schemas of the calls for inputs and outputs.
import * as z from 'zod'
import { PROGRAM_MAX } from '../limits.ts'
import { streamName } from '../rules/rules.ts'
import { isNdiUrl, ndiUrl } from '../stream/ndi-url.ts'
import { OUTPUT_CONFIGS } from '../stream/output-settings.schema.ts'
import { HTTP, NDI, RTMP, RTP, RTSP, SRT, UDP } from '../stream/protocols.ts'
import {
  addInput,
  addOutput,
  deleteInputs,
  deleteOutputs,
  listInputs,
  listOutputs,
  proposePort,
  setInput,
  setOutput
} from '../stream/source.ts'
import { sourceUrl } from '../stream/source-url.ts'
import { defineSchema, emptyRequest, id, ids, order, page, queryNumber, text, textRule, wholeNumber } from './schema.ts'

const sourceList = z.object({ ...page, key: text.optional(), sort: z.enum(['name']).optional(), order })
const inputUrl = textRule((value) => (isNdiUrl(value) ? ndiUrl(value) : sourceUrl(value)))
const inputConfig = z.object({ type: z.literal(1), url: inputUrl, program: wholeNumber(1, PROGRAM_MAX).optional() })
const inputBody = { name: textRule(streamName), config: inputConfig }
defineSchema(listInputs, sourceList.extend({ protocol: queryNumber(0, NDI) }))
defineSchema(addInput, z.object({ ...inputBody, force: z.boolean().optional() }))
defineSchema(setInput, z.object({ id, ...inputBody, force: z.boolean().optional() }))
defineSchema(deleteInputs, z.object({ id: ids, force: z.boolean().optional() }))

const name = textRule(streamName)
/** One schema per protocol. @param more additional fields of each schema */
const outputSchema = <More extends z.ZodRawShape>(more: More) =>
  z.discriminatedUnion('protocol', [
    z.object({ ...more, name, protocol: z.literal(RTMP), config: OUTPUT_CONFIGS[RTMP] }),
    z.object({ ...more, name, protocol: z.literal(SRT), config: OUTPUT_CONFIGS[SRT] }),
    z.object({ ...more, name, protocol: z.literal(UDP), config: OUTPUT_CONFIGS[UDP] }),
    z.object({ ...more, name, protocol: z.literal(RTP), config: OUTPUT_CONFIGS[RTP] }),
    z.object({ ...more, name, protocol: z.literal(RTSP), config: OUTPUT_CONFIGS[RTSP] }),
    z.object({ ...more, name, protocol: z.literal(HTTP), config: OUTPUT_CONFIGS[HTTP] }),
    z.object({ ...more, name, protocol: z.literal(NDI), config: OUTPUT_CONFIGS[NDI] })
  ])
defineSchema(listOutputs, sourceList)
defineSchema(proposePort, emptyRequest)
defineSchema(addOutput, outputSchema({}))
defineSchema(setOutput, outputSchema({ id, force: z.boolean().optional() }))
defineSchema(deleteOutputs, z.object({ id: ids, force: z.boolean().optional() }))
