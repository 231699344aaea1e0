// Schemas of device/stream.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import {
  AUTH_FAILED,
  BAD_ADDRESS,
  CLIENT_OFFLINE,
  INVALID_ARG,
  INVALID_DATA,
  LICENSE_LIMIT,
  NAME_EXISTS,
  NO_RESPONSE,
  NOT_EXIST,
  OBJECT_BUSY,
  UNSUPPORTED
} from '../codes.ts'
import { id, own, queryId, serial, text, textRule, wholeNumber } from '../fields.schema.ts'
import { dryRun } from '../off-air.schema.ts'
import { streamName } from '../rules/rules.ts'

/** A stream of a camera, a server, or a device that serves streams. */
export const DeviceStream = z.object({
  id: z.string().meta(own('Identifies the stream on its device: a profile of a camera, a path of a server')),
  name: z.string().meta(own('Name on the device')),
  detail: z.string().optional().meta(own('Format, as text')),
  live: z.boolean().optional().meta(own('Whether it has data at the moment; absent if the device does not tell')),
  playable: z.boolean().meta(own('Whether an input can be made of it')),
  ptz: z.boolean().meta(own('Whether the camera can be moved')),
  picture: z.boolean().meta(own('Whether the camera has a picture of it')),
  inputs: z
    .array(z.int())
    .optional()
    .meta(own('Ids of the inputs that were made of it. For callers with INPUT_OUTPUT_VIEW'))
})

export type DeviceStream = z.infer<typeof DeviceStream>

const deviceErrors = {
  [UNSUPPORTED]: 'no camera or server of another maker',
  [AUTH_FAILED]: 'it refuses the login, which is not sent again until it is changed',
  [NO_RESPONSE]: '',
  [INVALID_DATA]: 'its response cannot be read',
  [CLIENT_OFFLINE]: ''
}

const NO_STREAMS = 'a device without such streams'

/** Percent of the highest speed. */
const speed = wholeNumber(-100, 100).optional()

export const deviceStreamSchemas = {
  'GET /device/stream/list': {
    summary:
      'Lists the streams of a camera or streaming server that was added by its address, and those that a device at an address serves: `serves-streams` of the device.',
    request: z.object({ sn: serial }),
    response: z.object({ list: z.array(DeviceStream).meta(own('Its streams, 500 at most')) }),
    errors: { ...deviceErrors, [UNSUPPORTED]: NO_STREAMS, [NOT_EXIST]: '' },
    source: 'own',
    examples: [{ sn: '1a2b3c4d-CAM0042' }]
  },
  'POST /device/stream/add': {
    summary: 'Saves an input source with the address of a stream of `GET /device/stream/list`, and its login.',
    operation: ['Add input of a device', '添加设备输入'],
    request: z.object({
      sn: serial,
      stream: text.min(1).describe('id of the stream'),
      name: textRule(streamName).optional().describe('name of the input; default: those of device and stream')
    }),
    response: z.object({ id: z.int().meta(own('Node id of the input')) }),
    errors: {
      ...deviceErrors,
      [UNSUPPORTED]: NO_STREAMS,
      [INVALID_ARG]: 'the stream cannot be played',
      [NOT_EXIST]: 'unknown device or stream',
      [BAD_ADDRESS]: 'with `forbidden`',
      [NAME_EXISTS]: '',
      [LICENSE_LIMIT]: ''
    },
    source: 'own',
    examples: [
      { sn: '1a2b3c4d-CAM0042', stream: 'Profile_1' },
      { sn: '1a2b3c4d-CAM0042', stream: 'Profile_1', name: 'Gate' }
    ]
  },
  'POST /input/source/set-stream': {
    summary:
      'Changes the address of an input to that of a stream of a device, with its login. Name and other settings of the input stay.',
    operation: ['Change stream of input', '更改输入的流'],
    request: z.object({
      id: id.describe('node id of the input'),
      sn: serial,
      stream: text.min(1).describe('id of the stream'),
      ...dryRun
    }),
    errors: {
      ...deviceErrors,
      [INVALID_ARG]: 'the stream cannot be played',
      [NOT_EXIST]: 'unknown input, device or stream',
      [BAD_ADDRESS]: 'with `forbidden`',
      [OBJECT_BUSY]: 'with `same-host`'
    },
    source: 'own',
    examples: [{ id: 1001, sn: '1a2b3c4d-CAM0042', stream: 'Profile_2' }]
  },
  'GET /input/source/picture': {
    summary: 'A picture that the camera of an input takes now.',
    request: z.object({ id: queryId.describe('node id of an input that was made of a stream of a camera') }),
    response: z.object({ picture: z.string().meta(own('JPEG as a `data:` URL')) }),
    errors: { ...deviceErrors, [NOT_EXIST]: '' },
    source: 'own',
    examples: [{ id: 1001 }]
  },
  'POST /input/source/move': {
    summary:
      'Moves the camera of an input for a second at most, unless the call is repeated; without a speed it stops.',
    operation: ['Move camera', '移动摄像机'],
    request: z.object({
      id: id.describe('node id of an input that was made of a stream of a camera'),
      pan: speed.describe('speed to the right, percent, -100 to 100; default 0'),
      tilt: speed.describe('speed upwards, percent, -100 to 100; default 0'),
      zoom: speed.describe('speed inwards, percent, -100 to 100; default 0')
    }),
    errors: { ...deviceErrors, [NOT_EXIST]: '' },
    source: 'own',
    examples: [{ id: 1001 }, { id: 1001, pan: 50, tilt: -100, zoom: 0 }]
  }
} satisfies CallSchemas
